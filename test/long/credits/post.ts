/** One computation over a connection that is kept. */
import { type Agent, request } from 'node:http'

const PATH = '/quantlib/economics/utility/log'

/** The status of the reply. */
export const post = (agent: Agent, url: string, key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    request(url + PATH, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!))
    })
      .once('error', reject)
      .end('{"wealth":2}')
  })
