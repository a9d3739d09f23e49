/** Hashes and verifies passwords with argon2id, a few at a time so that other work is not delayed. */

import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { boundedQueue } from '../base/bounded-queue.ts'
import { passwordRefused, tooManyPasswords } from '../base/errors/requests.ts'
import { PASSWORD_CHARACTERS, PASSWORD_HASHES } from '../base/limits/callers.ts'

/** The second argon2id configuration of OWASP's Password Storage Cheat Sheet (2023); algorithm 2 is argon2id. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type PasswordCost = typeof COST

export interface Passwords {
  /**
   * Returns the hash of a new password as a PHC string. `path` is the JSON pointer of its field, for the failure.
   * Throws Failure `invalid_input` (length, or a common password) or `overloaded`.
   */
  hash(password: string, path?: string): Promise<string>
  /** Whether the password matches; a null hash costs the same time and never matches. Throws Failure `overloaded`. */
  verify(hash: string | null, password: string): Promise<boolean>
  /** The hash of an account without a password: none matches it. */
  unusable(): string
}

/**
 * At most `concurrent` hashes run at a time, each with 19 MiB and one of the four threads of libuv's pool, which file
 * access and DNS lookups also use. At most `waiting` more are queued.
 * @param cost only tests lower it
 */
export function createPasswords(
  { concurrent, waiting } = PASSWORD_HASHES,
  cost: PasswordCost = COST,
): Passwords {
  const queue = boundedQueue({ concurrent, waiting, onFull: tooManyPasswords })
  const nobody = unmatchableHash(cost)
  return {
    async hash(password, path = '/password') {
      const normal = normalise(password)
      refuseLength(normal, path)
      if (isFrequent(normal))
        throw passwordRefused('is one of the most common passwords; choose another', path)
      return queue(() => hash(normal, cost))
    },
    async verify(known, password) {
      const normal = normalise(password)
      const right = await queue(() => verify(known ?? nobody, normal))
      return right && known !== null
    },
    unusable: () => unmatchableHash(cost),
  }
}

/** NFKC, so that the same password typed on different systems gives the same text. */
const normalise = (password: string): string => password.normalize('NFKC')

function refuseLength(password: string, path: string): void {
  const length = [...password].length
  if (length >= PASSWORD_CHARACTERS.least && length <= PASSWORD_CHARACTERS.most) return
  throw passwordRefused(
    `must have ${PASSWORD_CHARACTERS.least} to ${PASSWORD_CHARACTERS.most} characters`,
    path,
  )
}

/** A random hash that no known password matches and that costs as much to verify as a real one. */
function unmatchableHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const text = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${text(16)}$${text(32)}`
}

/** The most common passwords of 8 or more characters in published leaks (NIST SP 800-63B, section 5.1.1.2). */
const FREQUENT = new Set(
  `
password password1 password12 password123 password1234 password! passw0rd p@ssword p@ssw0rd passwort
12345678 123456789 1234567890 12345678910 123123123 1234512345 123654789 123456123 12341234 11223344
1122334455 87654321 987654321 9876543210 0987654321 123321123 147258369 741852963 789456123
159753456 963852741 11111111 111111111 1111111111 00000000 000000000 0000000000 22222222 55555555
66666666 77777777 88888888 99999999 12121212 10101010 01234567 0123456789 13131313 qwertyui
qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
1qaz2wsx 1qaz2wsx3edc qazwsxedc qwer1234 1234qwer asdfghjkl asdfghjk asdf1234 zxcvbnm1 zxcvbnm123
qweasdzxc q1w2e3r4 q1w2e3r4t5 zaq12wsx abcd1234 abc12345 abc123456 a1234567 a12345678 a123456789
aa123456 aa12345678 1234abcd abcdefgh abcdefg1 aaaaaaaa iloveyou iloveyou1 iloveyou2 princess
princess1 sunshine sunshine1 football football1 baseball baseball1 superman superman1 michelle
michael1 jennifer jessica1 charlie1 liverpool chocolate computer computer1 internet starwars
whatever trustno1 welcome1 welcome123 letmein1 letmein123 changeme changeme1 changeme123 default1
testtest test1234 admin123 admin1234 administrator master123 monkey123 dragon123 shadow123 pokemon1
samsung1 google123 facebook killer123 hello123 hellohello lovelove babygirl babygirl1 butterfly
jordan23 fuckyou1 blink182 asdasdasd asd123456 qwe123456 zxc123456 secret123 pass1234
`
    .trim()
    .split(/\s+/),
)

/** Whether the password, in any case, is among the first that an attacker tries. */
const isFrequent = (password: string): boolean => FREQUENT.has(password.toLowerCase())
