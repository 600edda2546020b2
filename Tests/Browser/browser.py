"""Chromium, as tests drive it; `make test-browser` installs it."""

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 180
FLAGS = [
    "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    # Root has no sandbox, and only servers of the tests and the command are visited.
    "--no-sandbox",
    # Nothing but loopback.
    "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-background-networking",
    "--disable-component-update", "--disable-default-apps", "--disable-sync",
]


class Browser:
    """Chromium without a window, with a profile of its own; fields and buttons go by the words that a person reads."""

    def __init__(self, directory):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in (*FLAGS, f"--user-data-dir={directory / 'profile'}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = Service("/usr/bin/chromedriver", log_path=str(directory / "chromedriver.log"))
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.set_page_load_timeout(SECONDS)

    def stop(self):
        self.driver.quit()

    def until(self, what, condition):
        """Waits until a condition holds that may look at a page in the middle of changing; returns its value.

        An element that goes away while its text is read has many names, some of which only the browser's inspector knows.
        """
        waiting = WebDriverWait(self.driver, SECONDS, ignored_exceptions=(WebDriverException,))
        try:
            return waiting.until(lambda _: condition())
        except TimeoutException:
            raise AssertionError(f"{what}: not at {self.driver.current_url}, which says:\n{self.text}") from None

    @property
    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    @property
    def heading(self):
        return self.driver.find_element(By.TAG_NAME, "h1").text

    def visit(self, address, heading):
        self.driver.get(address)
        self.see_page(heading)

    def see_page(self, heading):
        self.until(f"the page {heading!r}", lambda: self.heading == heading)

    def see(self, text):
        self.until(f"the text {text!r}", lambda: text in self.text)

    def find(self, path):
        return self.until(path, lambda: self.driver.find_element(By.XPATH, path))

    def fill(self, **fields):
        """Types into fields, `to_whom` being the one labelled "To whom"."""
        for name, value in fields.items():
            label = self.find(f"//label[normalize-space()='{name.replace('_', ' ').capitalize()}']")
            field = self.driver.find_element(By.ID, label.get_attribute("for"))
            field.clear()
            field.send_keys(value)

    def choose(self, words):
        """Chooses the one of several that has these words."""
        self.find(f"//label[contains(., '{words}')]").click()

    def press(self, words):
        """Presses a button, or follows a link."""
        self.find(f"//main//*[self::button or self::a][normalize-space()='{words}']").click()

    def table(self, caption):
        """A table's rows, each a dictionary by the heads of the columns."""
        table = self.find(f"//table[caption[normalize-space()='{caption}']]")
        heads = [cell.text for cell in table.find_elements(By.XPATH, "./thead/tr/th")]
        rows = table.find_elements(By.XPATH, "./tbody/tr")
        return [dict(zip(heads, [cell.text for cell in row.find_elements(By.XPATH, "./*")])) for row in rows]

    def open_tab(self):
        self.driver.switch_to.new_window("tab")

    def close_tab(self):
        self.driver.close()
        self.driver.switch_to.window(self.driver.window_handles[0])

    def refusals(self):
        """What the browser would not do since a page's own policy forbids it, such as a style."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["source"] == "security"]


@pytest.fixture
def browser(tmp_path):
    browser = Browser(tmp_path)
    yield browser
    browser.stop()
