"""How `--dist loadscope` hands out tests here: one by one, so that no worker is left with a long file at the end. Tests that share
a fixture of their module go in batches, since each worker makes the fixture anew; they go first.
"""

import collections
import functools

from xdist.scheduler.loadscope import LoadScopeScheduling

BATCH = 12


class OneByOne(LoadScopeScheduling):
    @functools.cached_property
    def scopes(self):
        """Test to unit of work. Asked only when the workers have said what they collected."""
        found, seen = {}, collections.Counter()
        for nodeid in self.collection:
            file = nodeid.split("::")[0]
            found[nodeid] = f"{file} {seen[file] // BATCH}" if shares(self.config.rootpath / file) else nodeid
            seen[file] += 1
        return found

    def _split_scope(self, nodeid):
        return self.scopes[nodeid]

    def _assign_work_unit(self, node):
        # At the first call all is queued and nothing handed out.
        if not any(self.assigned_work.values()):
            batches_first = sorted(self.workqueue.items(), key=lambda unit: len(unit[1]) == 1)
            self.workqueue = collections.OrderedDict(batches_first)
        super()._assign_work_unit(node)


@functools.cache
def shares(path):
    return 'scope="module"' in path.read_text()
