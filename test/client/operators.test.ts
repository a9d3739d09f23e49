/** The clients of operators, in TypeScript and Python: each method sends what its endpoint takes. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { acts } from '../../clients/typescript/operator-acts.ts'
import { ConflictError, operatorClient, PermissionError } from '../../clients/typescript/operators.ts'
import { operatorEndpoints } from '../../src/operators/http/endpoints.ts'
import { useOperators } from '../support/operators.ts'

const { service, tokens, url: baseUrl } = await useOperators()

describe('the client of operators in TypeScript', () => {
  it('has a method for every endpoint', () => {
    assert.deepEqual(
      Object.values(acts).map(({ path }) => path),
      operatorEndpoints.map(({ path }) => path),
    )
  })

  it('reads, acts, and throws what went wrong', async () => {
    const { email } = await service.person()
    const admin = operatorClient({ baseUrl, token: tokens.admin })
    assert.equal((await admin.health()).ready, true)
    const grant = { account: email, credits: 40, reference: 'typescript' }
    assert.equal((await admin.grants(grant)).credits, 390)
    assert.equal((await admin.grants(grant)).replayed, true)
    await assert.rejects(admin.grants({ ...grant, credits: 41 }), ConflictError)
    const { items } = await admin.audit({ rows: 'acts', order: 'newest', limit: 1 })
    assert.equal(items.length, 1)
    const viewer = operatorClient({ baseUrl, token: tokens.viewer })
    await assert.rejects(viewer.grants(grant), PermissionError)
  })
})

describe('the client of operators in Python', () => {
  it('reads, acts, and raises what went wrong', async () => {
    const { email } = await service.person()
    const script = `
import sys
from quantd.errors import QuantdError
from quantd.operators import Operator
with_admin, with_viewer = Operator(sys.argv[1], sys.argv[2]), Operator(sys.argv[1], sys.argv[3])
assert with_admin.health()["ready"]
assert with_admin.grants(account=sys.argv[4], credits=40, reference="python")["credits"] == 390
assert with_admin.grants(account=sys.argv[4], credits=40, reference="python")["replayed"]
assert with_admin.accounts_set_limits(account=sys.argv[4], hour=7)["account"]["limits"]["hour"] == 7
assert with_admin.accounts_set_limits(account=sys.argv[4], hour=None)["account"]["limits"]["hour"] == 500
assert len(with_admin.audit(rows="acts", limit=1)["items"]) == 1
try:
    with_viewer.grants(account=sys.argv[4], credits=1, reference="no")
except QuantdError as error:
    assert (error.code, error.status) == ("role_forbidden", 403), error.code
    print("done")
`
    const { stdout } = await promisify(execFile)(
      'python3',
      ['-c', script, baseUrl, tokens.admin, tokens.viewer, email],
      {
        env: { ...process.env, PYTHONPATH: fileURLToPath(new URL('../../clients/python', import.meta.url)) },
      },
    )
    assert.equal(stdout, 'done\n')
  })
})
