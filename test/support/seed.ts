/** Loaded before every test file: properties try the same examples in each run, unless QUANTD_TEST_SEED names another seed. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.QUANTD_TEST_SEED ?? 20_260_101) })
