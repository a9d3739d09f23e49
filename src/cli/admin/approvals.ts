/** Commands for acts over HTTP that wait for a second person. */
import { Argument } from 'commander'
import { OPERATOR_PAGE } from '../../limits/operation.ts'
import { approvalJson, instant } from '../../operator/account-json.ts'
import type { Approval } from '../../operator/approvals.ts'
import type { OperatorContext } from '../../operator/http/endpoint.ts'
import { type AdminCommand, type AdminSession, readNumber } from './command.ts'
import { eventBy } from './event.ts'

const list: AdminCommand = {
  usage: 'list',
  summary: 'List the acts that two persons make (QUANTD_TWO_PERSONS), the newest first.',
  examples: [['approvals list', 'the newest thousand']],
  async run(session) {
    const { approvalsPage } = await import('../../operator/approvals.ts')
    const query = { before: null, limit: OPERATOR_PAGE.most, waiting: false }
    const found = await session.reads.run(approvalsPage, query)
    await session.print(found.map(approvalJson), found.map(line).join('\n'))
  },
}

const line = ({ act, askedAt, askedBy, id, input, state }: Approval): string =>
  [String(id).padStart(5), state.padEnd(9), instant(askedAt)!.slice(0, 16), askedBy, act, input].join('  ')

const idArgument = () =>
  new Argument('<id>', 'number of the approval').argParser(readNumber(1, Number.MAX_SAFE_INTEGER))

const decision = (name: 'confirm' | 'reject', summary: string, effect: string): AdminCommand => ({
  usage: name,
  summary,
  examples: [[`approvals ${name} 12`, effect]],
  shape: (command) => command.addArgument(idArgument()),
  async run(session, id: number) {
    const decide = (await import('../../operator/http/confirmation.ts'))[name]
    const { actor } = eventBy('')
    const approval = await decide(await contextOf(session), id, {
      by: { name: actor, role: 'admin', person: `shell ${actor}` },
      event: () => eventBy(`approvals ${name}`),
    })
    const { act, askedBy, state } = approval
    await session.print(approvalJson(approval), `Approval ${id} (${act}, asked by ${askedBy}) is ${state}.`)
  },
})

/** The parts that acts of two persons use. */
async function contextOf({ config, plan, reads, store }: AdminSession): Promise<OperatorContext> {
  const { operatorEndpoints } = await import('../../operator/http/endpoints.ts')
  const { operations } = await import('../../catalogue/index.ts')
  return {
    ...{ store, plan: plan.current, readPlan: () => plan.read(reads), settings: config.plan },
    operationPaths: operations.map(({ path }) => path),
    endpointAt: (path: string) => operatorEndpoints.find((endpoint) => endpoint.path === path),
  } as unknown as OperatorContext
}

export const approvalCommands: readonly AdminCommand[] = [
  list,
  decision(
    'confirm',
    'Do an act that waits for a second person, as an act of both.',
    'by its number in the list',
  ),
  decision('reject', 'End the wait of an act, which is not done.', 'by its number in the list'),
]
