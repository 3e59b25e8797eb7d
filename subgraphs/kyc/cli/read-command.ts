import { parseArgs } from 'node:util'

/** What the command line can be told to do. */
export type KycCommand =
  { name: 'erase' | 'access'; tenantId: string; email: string | null; wallet: string | null } | { name: 'rotate' }

/** The command line was used wrongly; the message says how to use it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const USAGE = `Usage: npm run kyc -- <command>

  erase --tenant ID (--email ADDRESS | --wallet ADDRESS)
      removes everything that is known of a person, here and at the verification provider; payments stay
  access --tenant ID (--email ADDRESS | --wallet ADDRESS)
      who has had access to a person's data
  rotate
      seals everything with MASTER_KEY that MASTER_KEY_PREVIOUS has sealed`

const TEXT = { type: 'string' } as const

/**
 * Reads the arguments of the command line.
 * @throws UsageError with one sentence
 */
export function readCommand(args: readonly string[]): KycCommand {
  const [name = '', ...rest] = args
  if (name === 'rotate') {
    readOptions(rest, {})
    return { name }
  }
  if (name !== 'erase' && name !== 'access') {
    throw new UsageError(name === '' ? 'There is no command.' : `There is no command "${name}".`)
  }
  const { tenant, email, wallet } = readOptions(rest, { tenant: TEXT, email: TEXT, wallet: TEXT })
  if (!tenant) throw new UsageError('--tenant is needed.')
  if ((email === undefined) === (wallet === undefined)) throw new UsageError('Either --email or --wallet is needed.')
  return { name, tenantId: tenant, email: email ?? null, wallet: wallet ?? null }
}

function readOptions(
  args: readonly string[],
  options: Record<string, typeof TEXT>,
): Record<string, string | undefined> {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
