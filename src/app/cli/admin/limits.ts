/** The command that sets the limits of one account; one word restores all of them. */
import { Argument, InvalidArgumentError } from 'commander'
import type { OperatorEndpoint } from '../../../operators/http/endpoint.ts'
import { actCommand } from './act.ts'
import type { AdminCommand } from './command.ts'
import { CommandFailure, EXIT } from './failure.ts'

export const setLimits = (act: OperatorEndpoint): AdminCommand =>
  actCommand(act, {
    shape: (command) =>
      command.addArgument(
        new Argument(
          '[default]',
          'restore all of them: the limits of the account type, and the balance of the plan',
        ).argParser(readDefault),
      ),
    async complete(_, { account, ...limits }, __, isDefault = false) {
      if (isDefault === Object.keys(limits).length > 0)
        throw new CommandFailure(
          'Give --hour, --day, --work or --low-credits, or the word default.',
          EXIT.usage,
        )
      return { account, ...(isDefault ? { hour: null, day: null, work: null, low_credits: null } : limits) }
    },
  })

function readDefault(text: string): true {
  if (text !== 'default') throw new InvalidArgumentError('The only word allowed here is default.')
  return true
}
