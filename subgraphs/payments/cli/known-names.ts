import { optionIn, UsageError, type CliOutput } from '../../../kernel/command-line.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { EnvError } from '../../../kernel/env.js'
import { sandboxChains } from '../../../kernel/sandbox-file.js'
import type { LedgerEnv } from '../env.js'
import { RAILS } from '../rails/registry.js'

/** The commands that act on what they name without asking a chain. `resume` is none of them: it ends what was paused by a slip, too. */
const NAMING: ReadonlySet<string> = new Set(['pause', 'treasury-cap', 'reconcile'])

/** Of chains that the deployment has no more the books still tell. */
const IN_BOOKS = `select 1 where exists (select from payments.treasury_transaction where chain_name = ?)
  or exists (select from payments.operator_transaction where chain_name = ?)
  or exists (select from payments.reconciliation where scope in ('chain:' || ?::text, 'gas-payer:' || ?::text))
  or exists (select from payments.payout where chain_name = ?)
  or exists (select from payments.payment where to_chain = ? or chain_name = ?)`

/**
 * Refuses a command that names a chain, a token or a provider that nobody knows: it would hold nothing, and say that it does. A `pause`
 * is let through with a warning where the list of chains cannot be read: it is wanted at once.
 * @throws UsageError; EnvError where another command needs the list
 */
export async function assertKnownNames(
  db: Database,
  env: LedgerEnv,
  command: string,
  args: readonly string[],
  output: CliOutput,
): Promise<void> {
  if (!NAMING.has(command)) return
  const [chainName, symbol, provider] = ['chain', 'symbol', 'provider'].map((name) => optionIn(args, name))
  const charging = RAILS.map(({ name }) => name).filter((name) => name !== 'crypto')
  if (provider !== undefined && !charging.includes(provider))
    throw new UsageError(`--provider is one of ${charging.join(', ')}.`)
  if (chainName === undefined) return
  let chains: ReturnType<NonNullable<LedgerEnv['readChains']>>
  try {
    chains = env.readChains?.()
  } catch (error) {
    if (!(error instanceof EnvError) || command !== 'pause') throw error
    return output.err(
      `${error.message}\nSo it is not known whether there is a chain ${chainName}: see that its name is right.`,
    )
  }
  const chain = chains?.find(({ name }) => name === chainName)
  if (!chain) return assertInUse(db, env, chainName)
  const symbols = [chain.nativeCoin.symbol, ...Object.keys(chain.tokens)]
  if (symbol !== undefined && !symbols.includes(symbol))
    throw new UsageError(`--symbol is one of ${symbols.join(', ')} on ${chainName}.`)
}

async function assertInUse(db: Database, env: LedgerEnv, chainName: string): Promise<void> {
  if ((await sandboxChains(env)).includes(chainName)) return
  const values = Array.from({ length: IN_BOOKS.split('?').length - 1 }, () => chainName)
  const found = await inTransaction(db, (em) => executeIn(em, IN_BOOKS, values))
  if (found.length === 0)
    throw new UsageError(`There is no chain ${chainName}: neither CHAINS_FILE nor the books have it.`)
}
