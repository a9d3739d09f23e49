/** The Python client against a running service, with and without numpy and pandas, and against a server that misbehaves. */
import { test } from 'node:test'
import { useService } from '../support/people.ts'
import { openAccount } from './account.ts'
import { lacking, runFile } from './python.ts'

const service = await useService()
const env = await openAccount(service)
/** The files together make more requests about an account than it may in a minute. */
const envOfFrames = await openAccount(service, { email: 'grace@example.org' })
const envOfLabels = await openAccount(service, { email: 'alan@example.org' })
const envOfCoroutines = await openAccount(service, { email: 'edsger@example.org' })

const noPython = lacking()
const noFrames = lacking('numpy', 'pandas', 'tqdm')

test('computations and the account, with the standard library alone', { skip: noPython }, (context) =>
  runFile(context, 'test_client.py', { env, without: ['numpy', 'pandas', 'pyarrow', 'tqdm'] }),
)

test('rows of lists, with the standard library alone', { skip: noPython }, (context) =>
  runFile(context, 'test_rows.py', { env, without: ['numpy', 'pandas', 'pyarrow', 'tqdm'] }),
)

test('coroutines, with the standard library alone', { skip: noPython }, (context) =>
  runFile(context, 'test_async.py', {
    env: envOfCoroutines,
    without: ['numpy', 'pandas', 'pyarrow', 'tqdm'],
  }),
)

test('streams of Arrow, with the standard library alone', { skip: noPython }, (context) =>
  runFile(context, 'test_arrow.py', { without: ['numpy', 'pandas', 'pyarrow', 'tqdm'] }),
)

test('the connection: retries, time-outs, lost connections', { skip: noPython }, (context) =>
  runFile(context, 'test_connection.py', { without: ['numpy', 'pandas', 'pyarrow', 'tqdm'] }),
)

test('labels of pandas', { skip: noFrames }, (context) =>
  runFile(context, 'test_labels.py', { env: envOfLabels }),
)

test('arrays of numpy and data frames of pandas', { skip: noFrames }, (context) =>
  runFile(context, 'test_frames.py', { env: envOfFrames }),
)
