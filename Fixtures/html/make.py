#!/usr/bin/env python3
"""Makes pages.json: random pages, and the texts that html5lib (another implementation of the HTML standard) shows of each.

    pip install html5lib && python3 Fixtures/html/make.py > Fixtures/html/pages.json

`texts` are the text nodes that a browser would show, in the order of the document; what stands in script, style or a comment is none.
"""
import json
import random

import html5lib

PIECES = [
    "<p>", "</p>", "<b>", "</b>", "<i>", "</i>", "<div class=card>", "</div>", "<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>",
    "<th>", "</th>", "<ul>", "</ul>", "<ol>", "<li>", "</li>", "<a href='https://fern.example/'>", "</a>", "<br>", "<br/>", "<hr>",
    "<img src=x alt='logo'>", "<h1>", "</h1>", "<span title=\"a > b\">", "</span>", "<pre>", "</pre>", "<dl>", "<dt>", "<dd>", "</dl>",
    "<!-- hidden -->", "<!-- > -->", "<!--->", "<!-->", "<script>go()</script>", "<em>", "</em>",
    "<blockquote>", "</blockquote>", "<center>", "</center>", "<p x='\"'>", "<P ALIGN=left>", "</P >", "<sup>", "</sup>", "<s>", "</s>",
    "<button>", "</button>", "<label>", "</label>", "<small>", "</small>", "<html>", "<body>", "</body>", "</html>", "<b/>", "<?pi x?>",
    "<textarea>typed <b>text</b></textarea>", "<!DOCTYPE html>", "< ", "<3", "&", "<input value=5>", "<form>", "</form>", "<noscript>",
    "</noscript>", "<section>", "</section>", "<tbody>", "</tbody>", "<caption>", "</caption>", "<font color=red>", "</font>",
]
WORDS = ["Pay", "9.90", "EUR", "To:", "Fern", "Books", "9,000.00", "AT61", "&amp;", "&lt;b&gt;", "&euro;", "&#65;", "Größe", "漢字", "x<y", "R-5"]


def page(chance):
    made = []
    for number in range(chance.randint(3, 30)):
        made.append(chance.choice(PIECES) + chance.choice(["", " "]) if chance.random() < 0.5 else " " + chance.choice(WORDS) + chance.choice([" ", "\n"]))
    return "".join(made)


def shown(node, texts):
    tag = node.tag if isinstance(node.tag, str) else ""
    if tag and tag.split("}")[-1] not in ("script", "style"):
        if node.text and node.text.strip():
            texts.append(" ".join(node.text.split()))
        for child in node:
            shown(child, texts)
            if child.tail and child.tail.strip():
                texts.append(" ".join(child.tail.split()))
    return texts


chance = random.Random(7)
pages = [page(chance) for _ in range(1000)]
print(json.dumps(
    [{"page": text, "texts": shown(html5lib.parse(text, namespaceHTMLElements=False), [])} for text in pages],
    ensure_ascii=False, indent=0))
