/** Loaded before every test file: properties try the same examples each run, other ones with QUANTD_TEST_SEED. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.QUANTD_TEST_SEED ?? 20_260_101) })
