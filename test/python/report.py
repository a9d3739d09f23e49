"""Runs the tests of one file and prints a line of JSON per test: report.py FILE [--without PACKAGE …]."""
import importlib.util
import json
import sys
import unittest
import warnings


class Lines(unittest.TestResult):
    def addSuccess(self, test):
        self.line(test)

    def addFailure(self, test, err):
        self.line(test, error=self._exc_info_to_string(err, test))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.line(test, error=f"{subtest}\n{self._exc_info_to_string(err, test)}")

    def addSkip(self, test, reason):
        self.line(test, skip=reason)

    def line(self, test, **outcome):
        name = getattr(test, "_testMethodName", str(test)).replace("test_", "", 1).replace("_", " ")
        print(json.dumps({"name": name, **outcome}), flush=True)


def main(path, *options):
    for name in options[1:]:
        # An import of the package fails as if it were not installed.
        sys.modules[name] = None
    spec = importlib.util.spec_from_file_location("under_test", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["under_test"] = module
    spec.loader.exec_module(module)
    warnings.simplefilter("error")
    unittest.defaultTestLoader.loadTestsFromModule(module).run(Lines())


main(*sys.argv[1:])
