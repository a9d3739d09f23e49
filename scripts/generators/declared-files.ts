/** The checked-in files that are generated from the declarations of operations and account endpoints, as text. */

import type { Sources } from '../../src/derive/described.ts'
import { openapi } from '../../src/derive/openapi.ts'
import { clientEndpoints, clientFailureCodes, clientTypes } from './client-types.ts'
import { withEndpointTable } from './endpoint-table.ts'
import { pythonCalls } from './python-calls.ts'
import { pythonComputations } from './python-client.ts'
import { pythonFailures, pythonRecords, pythonVersion } from './python-records.ts'

interface GeneratedFile {
  /** Relative to the project's root. */
  readonly path: string
  readonly text: string
}

/** @param readme the text of README.md, which is generated only if it has the markers of the table */
export function filesFrom(from: Sources, readme: string): GeneratedFile[] {
  const renewed = withEndpointTable(readme, from)
  return [
    { path: 'openapi.json', text: `${JSON.stringify(openapi(from), null, 2)}\n` },
    { path: 'clients/typescript/types.ts', text: clientTypes(from) },
    { path: 'clients/typescript/failure-codes.ts', text: clientFailureCodes(from) },
    { path: 'clients/typescript/endpoints.ts', text: clientEndpoints(from) },
    { path: 'clients/python/quantd/computations.py', text: pythonComputations(from) },
    { path: 'clients/python/quantd/calls.py', text: pythonCalls(from) },
    { path: 'clients/python/quantd/failures.py', text: pythonFailures(from) },
    { path: 'clients/python/quantd/records.py', text: pythonRecords(from) },
    { path: 'clients/python/quantd/version.py', text: pythonVersion(from) },
    ...(renewed === null ? [] : [{ path: 'README.md', text: renewed }]),
  ]
}
