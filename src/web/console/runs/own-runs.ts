/** Whose runs the page may show: those of the account, or of the key of a guest or a team. */
import type { UserProfileData } from '../../../../clients/typescript/types.ts'
import { key, send } from '../session.ts'

/** The database of the runs, in a script of its own. */
export const loadRuns = () => import('./kept-runs.ts')

/** The owner of a key that belongs to no account of its own: its last characters do not give it away. */
export const ownerOfKey = (apiKey: string): string => `key ${apiKey.slice(-8)}`

/** null: the service cannot say to which account the key belongs. */
export async function owner(): Promise<string | null> {
  const { apiKey = '' } = key() ?? {}
  if (!apiKey.startsWith('qd_user_')) return apiKey === '' ? null : ownerOfKey(apiKey)
  const reply = await send<UserProfileData>('/user/profile')
  return reply.success && 'user_id' in reply.data ? `account ${reply.data.user_id}` : null
}

/** Deletes the runs of an owner, if the browser has some. */
export async function removeOwnRuns(ownedBy: string | null): Promise<void> {
  if (ownedBy === null) return
  try {
    const { removeRuns, runsOf } = await loadRuns()
    await removeRuns((await runsOf(ownedBy)).map(({ id }) => id))
  } catch {
    // The browser forbids storage, so it has none.
  }
}

/** Gives the runs of a guest key to the account whose key is in use now. */
export async function moveOwnRuns(guestKey: string): Promise<void> {
  try {
    const { moveRuns } = await loadRuns()
    const next = await owner()
    if (next !== null) await moveRuns(ownerOfKey(guestKey), next)
  } catch {
    // The browser forbids storage, so it has none.
  }
}
