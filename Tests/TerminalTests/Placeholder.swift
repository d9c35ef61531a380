// To be replaced by the module's first test.
