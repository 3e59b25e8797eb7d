import { runWrittenDown } from '../../../kernel/audit-command.js'
import { optionIn, readOptions, UsageError, type CliOutput } from '../../../kernel/command-line.js'
import type { Database } from '../../../kernel/database.js'
import { createLog } from '../../../kernel/log.js'
import {
  commandTarget,
  connectCommand,
  NotAvailableError,
  type CommandEnv,
  type CommandTarget,
} from '../../../kernel/sandbox-file.js'
import { openPaymentsDatabase } from '../context.js'
import { loadLedgerEnv, type LedgerEnv } from '../env.js'
import { releasePayouts } from '../settlement/release-payouts.js'
import { addressesStore } from '../store/addresses.js'
import { alertsStore } from '../store/alerts.js'
import { ledgerStore, type LedgerStore } from '../store/ledger.js'
import type { Answer, Books } from './answer.js'
import { releaseBy, setTolerance } from './address-commands.js'
import { payTenant, releaseReserve, settleDebt } from './bank-transfers.js'
import { close } from './close-command.js'
import { resolveCoins } from './coin-command.js'
import { listDifferences, requestReconciliation, resolve } from './difference-commands.js'
import { fees, gas } from './fee-commands.js'
import { intervene } from './intervention-commands.js'
import { assertKnownNames } from './known-names.js'
import { prices } from './price-commands.js'
import { pause, resume, transactions } from './payout-commands.js'
import { printStatement } from './statement-command.js'
import { fund, setReserve } from './refund-commands.js'
import { delay, held, limits, payerDocument, thirdPartyPix, treasuryCap } from './risk-commands.js'
import { orderTreasuryTransfer } from './treasury-transfer-command.js'

const USAGE = `Usage: npm run ledger -- <command>
  check [--all]           proves that the ledger balances and agrees with receipts and payouts; exit code 1 where it does not.
                          What was closed is not read again, unless with --all
  close [--to time]       checks, and closes the ledger: what was booked before never changes. By default up to today (UTC);
                          exit code 1 where the check finds something, and nothing is closed
  balances [tenant id]    what each account holds: debits less credits
  statement --tenant id [--from time] [--to time] [--format csv|jsonl] [--receiver address] [--order code] [--rail name]
                          what a tenant is owed, line by line, with opening and closing balances; times are days or moments
  reconcile [--chain name] [--provider name]
                          has the running product compare its books with a chain, a provider, or all that are named in them;
                          it does so every night by itself
  differences [--all]     what differs between books, chains and providers, the newest first; --all: what was closed too
  resolve <difference> --reason text [--as owner|loss|bank]
                          closes a difference (its id is a number); where money stands in suspense for it, or an account holds something else than
                          is booked, says whose it is: the owner's, lost, or what a tenant has paid in for refunds; exit code 1 where it is not open.
                          Where the books have changed since a wrong balance was found, compare them again first
  alerts                  what an operator was told of
  held [--tenant id]      the payouts that something holds, and why
  release <payment id>    pays receivers who are held, whatever holds them; exit code 1 where none is
  release-deposits <payment id>
                          shares out what a refused wallet has sent to a payment's address; exit code 1 where nothing is held
  underpayment-tolerance --tenant id --percent share
                          how much less than the price counts as the whole at addresses that are opened from now on, 0 to 10
  limits --tenant id --currency code [--per-payment amount] [--per-payer-day amount] [--per-tenant-day amount]
                          what a tenant's payments in a currency may be from now on; what is left out has no limit
  delay --tenant id --rail name --hours number
                          how long receivers wait after a payer has paid, 0 to 4320
  third-party-pix --tenant id --mode accept|return
                          whether a Pix from another person's account than the payer's goes back
  payer-document --tenant id --mode accept|compare
                          whether a payer by Pix or card whose tax id is not the verified person's is refused
  treasury-cap --chain name --symbol token [--per-payout amount] [--per-day amount]
                          what may leave the treasury by itself; payouts above it are held
  treasury-transfer <hash> --chain name --reason text [--by name]
                          books a transaction by which the owner has funded the treasury, or taken something out of it: token, amount
                          and direction are the chain's. Once per transaction; exit code 1 where refused, or booked before
  transactions            what the treasury has signed that has not come to an end, or holds payouts back, each with its id
  retry <transaction>     lets payouts that a transaction holds have another one, where it is proven that it can never land
  cancel <transaction>    a transaction that is in no block pays nobody, if that can still be had; its payouts are held then
  resolve <transaction> --reason text
                          counts the receivers whom a transaction holds as paid, because they are
  resolve <payment id> --hash transaction --reason text [--receiver number]
                          counts a receiver who is held because coins may have been sent before a restore as paid by that transaction
                          these take --by name (by default who runs them) and --reason; exit code 1 where refused
  pause [--chain name] [--tenant id] --reason text     pays nobody of them until it is resumed; nothing else stops
  resume [--chain name] [--tenant id]                  ends the pause of exactly these
  fund-refunds --tenant id --amount decimal --reference text [--currency BRL]
                          books what a tenant has paid in for refunds. A reference names a bank transfer, and is booked once for a tenant,
                          by this command or the next three: exit code 1 where the same was booked before, 2 where it was for
                          another amount, currency or payment, or by another of these commands. The parts of a transfer
                          that pays for several things have a reference each, such as NAME:1 and NAME:2
  settle-debt --tenant id [--payment id] --amount decimal --reference text [--currency BRL]
                          books what a tenant has paid by bank of what a payment has left it owing, as after a chargeback whose
                          receivers were paid; without a payment, of the gas that it bears, in the chain's coin (--currency POL)
  pay-tenant --tenant id --payment id --amount decimal --reference text [--currency BRL]
                          books what a tenant was paid by bank of what it is owed of a payment, as after a chargeback that was won
  release-reserve --tenant id --amount decimal --reference text [--currency BRL]
                          books what a tenant was paid by bank of what it has set aside for refunds, once its debts are taken from it
  refund-reserve --tenant id --percent share
                          the share of what a tenant's payers pay by Pix or card that is set aside for refunds from now on,
                          0 to 50
  fees --tenant id [--rail name [--percent share] [--fixed amount] [--spread share]]
                          shows what the platform takes of a tenant's payments, and sets it for a rail: a share of what is paid
                          (0 to 20), a fixed amount of each (0 to 1000) and of the rate (0 to 10); for quotes from now on.
                          What is left out stays as it is
  gas --tenant id --by tenant|platform
                          who bears the gas of a tenant's payouts from now on
  prices                  the last price of each pair by which money moved, and what is held because it moved too far
  prices accept <pair>    accepts the held price of a pair, e.g. BRL/USDT; exit code 1 where none is held`

/** A check of everything reads every line there ever was. */
const TIMEOUTS = { statementMs: 900_000, answerMs: 905_000 }

/** @returns what is printed as JSON, and the exit code; without an answer it has printed what there is itself */
type Command = (books: Books, args: readonly string[], output: CliOutput) => Promise<{ answer?: object; code?: number }>

const COMMANDS: Readonly<Record<string, Command>> = {
  check: ({ db }, args) => check(ledgerStore(db), args),
  close: ({ db, clock }, args) => close(ledgerStore(db), clock, args),
  balances: async ({ db }, [id]) => ({ answer: await ledgerStore(db).balances(id) }),
  alerts: async ({ db, clock }) => ({ answer: await alertsStore(db, clock, createLog('silent')).list() }),
  held: async ({ db }, args) => ({ answer: await held(db, args) }),
  release: releaseBy(({ db, clock }, id) => releasePayouts(db, clock, id)),
  'release-deposits': releaseBy(({ db }, id) => addressesStore(db).release(id)),
  'underpayment-tolerance': async (books, args) => ({ answer: await setTolerance(books, args) }),
  limits: async ({ db }, args) => ({ answer: await limits(db, args) }),
  delay: async ({ db }, args) => ({ answer: await delay(db, args) }),
  'payer-document': async ({ db }, args) => ({ answer: await payerDocument(db, args) }),
  'third-party-pix': async ({ db }, args) => ({ answer: await thirdPartyPix(db, args) }),
  'treasury-cap': async ({ db }, args) => ({ answer: await treasuryCap(db, args) }),
  'treasury-transfer': orderTreasuryTransfer,
  transactions: async ({ db }) => ({ answer: await transactions(db) }),
  retry: (books, args) => intervene(books, 'retry', args),
  cancel: (books, args) => intervene(books, 'cancel', args),
  resolve: (books, args) => {
    if (isDifference(args)) return resolve(books, args)
    return args.includes('--hash') ? resolveCoins(books, args) : intervene(books, 'resolve', args)
  },
  pause: async (books, args) => ({ answer: await pause(books, args) }),
  fees: async ({ db }, args) => ({ answer: await fees(db, args) }),
  gas: async ({ db }, args) => ({ answer: await gas(db, args) }),
  'fund-refunds': fund,
  'settle-debt': settleDebt,
  'pay-tenant': payTenant,
  'release-reserve': releaseReserve,
  'refund-reserve': async ({ db }, args) => ({ answer: await setReserve(db, args) }),
  statement: async (books, args, output) => {
    await printStatement(books, args, output)
    return {}
  },
  reconcile: async (books, args) => ({ answer: await requestReconciliation(books, args) }),
  differences: async (books, args) => ({ answer: await listDifferences(books, args) }),
  resume: async (books, args) => ({ answer: await resume(books, args) }),
  prices,
}

/** The commands that change nothing: all others are written into the audit log. */
const READS: ReadonlySet<string> = new Set([
  'check',
  'balances',
  'alerts',
  'held',
  'transactions',
  'statement',
  'differences',
])

function isRead(name: string, [word]: readonly string[]): boolean {
  return READS.has(name) || (name === 'prices' && word !== 'accept')
}

/** What the audit log keeps of a command: the tenant, and the id behind the command's name. */
function namedBy(args: readonly string[]): { tenantId: string | null; named: object } {
  const tenantId = optionIn(args, 'tenant') ?? null
  const [id] = args
  return { tenantId, named: { ...(id !== undefined && !id.startsWith('--') && { id }) } }
}

/** Differences have numbers; the treasury's transactions have not. */
function isDifference([id = '']: readonly string[]): boolean {
  return /^\d+$/.test(id)
}

/**
 * The command line of the ledger; prints JSON.
 * @returns the exit code: 1 for a discrepancy, or where nothing was to be done; 2 where the command cannot run
 */
export async function ledgerCli(args: readonly string[], output: CliOutput, env?: LedgerEnv): Promise<number> {
  const [name = '', ...rest] = args
  if (args.includes('--help') || args.includes('-h')) {
    output.out(USAGE)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    output.err(USAGE)
    return 2
  }
  const given = env ?? loadLedgerEnv()
  const opened = await open(given, output)
  if (!opened) return 2
  const { db, target } = opened
  try {
    await assertKnownNames(db, given, name, rest, output)
    const run = (): ReturnType<Command> => command({ db, clock: target.clock }, rest, output)
    const audited = { operation: `ledger ${name}`, ...namedBy(rest) }
    const { answer, code = 0 } = await (isRead(name, rest) ? run() : runWrittenDown(target, audited, run))
    if (answer) output.out(JSON.stringify(answer, null, 2))
    return code
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    output.err(`${error.message}\n\n${USAGE}`)
    return 2
  } finally {
    await db.close()
  }
}

async function check(ledger: LedgerStore, args: readonly string[]): Answer {
  const isAll = readOptions(args, { all: { type: 'boolean' } })['all'] === true
  const discrepancies = await ledger.findDiscrepancies({ isAll })
  const balances = await ledger.balances()
  const isBalanced = discrepancies.length === 0
  return { answer: { balanced: isBalanced, discrepancies, balances }, code: isBalanced ? 0 : 1 }
}

/** Connects; says why where that cannot be done. */
async function open(env: CommandEnv, { err }: CliOutput): Promise<{ db: Database; target: CommandTarget } | undefined> {
  try {
    const target = await commandTarget(env)
    const options = { url: target.url, poolSize: 2, log: createLog('silent'), timeouts: TIMEOUTS }
    return { db: await connectCommand(env, () => openPaymentsDatabase(options)), target }
  } catch (error) {
    if (!(error instanceof NotAvailableError)) throw error
    err(error.message)
    return undefined
  }
}
