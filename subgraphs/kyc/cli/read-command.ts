import { neededOption, readOptions, unknownCommand, UsageError } from '../../../kernel/command-line.js'

/** What the command line can be told to do. */
export type KycCommand =
  { name: 'erase' | 'access'; tenantId: string; email: string | null; wallet: string | null } | { name: 'rotate' }

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
  if (name !== 'erase' && name !== 'access') throw unknownCommand(name)
  const { email, wallet, ...values } = readOptions(rest, { tenant: TEXT, email: TEXT, wallet: TEXT })
  const tenantId = neededOption(values, 'tenant')
  if ((email === undefined) === (wallet === undefined)) throw new UsageError('Either --email or --wallet is needed.')
  const text = (value: string | boolean | undefined): string | null => (typeof value === 'string' ? value : null)
  return { name, tenantId, email: text(email), wallet: text(wallet) }
}
