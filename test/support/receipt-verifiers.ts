/**
 * The three implementations that check a receipt: the client's and the command's, the Python package's, and one written from
 * the document alone.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyReceipt } from '../../src/wire/receipt-check/verify.ts'

export interface ReceiptCase {
  /** A JSON value, or the text of a file. */
  readonly receipt: unknown
  /** A list of keys, or the document of keys that the service publishes. */
  readonly keys: unknown
  readonly request: string | null
  readonly reply: string | null
}

/** Returns null for each case that is accepted, else the reason of the refusal. */
type Verifier = (cases: readonly ReceiptCase[]) => Promise<(string | null)[]>

const ROOT = join(import.meta.dirname, '../..')
const PYTHON = '/usr/bin/python3'

/** The reason why the Python verifiers are skipped, or false. */
export const noCryptography =
  spawnSync(PYTHON, ['-c', 'import cryptography']).status === 0
    ? false
    : 'python3-cryptography is not installed'

/** Runs a program that reads JSON and prints JSON; it can import the package. */
export function python(code: string, input: unknown): (string | null)[] {
  const { status, stderr, stdout } = spawnSync(PYTHON, ['-c', code], {
    cwd: join(ROOT, 'clients/python'),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

const byPackage = `import json, sys, quantd
def outcome(case):
    try:
        quantd.verify_receipt(case["receipt"], case["keys"], request=case["request"], reply=case["reply"])
    except quantd.InvalidReceiptError as error:
        return str(error)
print(json.dumps([outcome(case) for case in json.load(sys.stdin)]))`

export const verifiers: Readonly<Record<'verifyReceipt' | 'package' | 'independent', Verifier>> = {
  verifyReceipt: (cases) =>
    Promise.all(
      cases.map(({ keys, receipt, reply, request }) =>
        verifyReceipt(receipt, {
          keys,
          ...(request !== null && { request }),
          ...(reply !== null && { reply }),
        }).then(
          () => null,
          // Another error is a fault of the verifier.
          (error) => (error.name === 'InvalidReceipt' ? String(error) : assert.fail(error)),
        ),
      ),
    ),
  package: async (cases) => python(byPackage, cases),
  independent: async (cases) =>
    python(readFileSync(join(ROOT, 'test/wire/receipt-check/verifier.py'), 'utf8'), cases),
}
