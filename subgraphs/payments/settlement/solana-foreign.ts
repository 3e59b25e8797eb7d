import { ask } from '../../../chains/solana/rpc.js'
import { AppError } from '../../../kernel/errors.js'
import type { ForeignTransactions, ForeignTransfer, KnownTransactions } from './payout-chain.js'
import type { ChainContext } from './solana-balances.js'
import { readSent } from './solana-sent.js'
import { noteNewest, type ClosedPast, type SolanaPast } from './solana-past.js'

/** As many signatures as a node gives at once. */
const PAGE = 1_000
/** Transactions that are read in one round while payouts wait for them, and while they do not. */
const READ_WAITING = 400
const READ_BESIDE = 16

/** A transaction that names the account, as a node lists it. */
interface Named {
  signature: string
  slot: number
  blockTime: number | null
  err: unknown
  confirmationStatus?: string | null
}

type Past = SolanaPast & { closed: ClosedPast }

/**
 * What an account has sent that the database does not know. No count on Solana tells it: the list of all that names the account does, of which most
 * may be strangers'. It is read page by page to its end before this process signs for its first payout, and after everything
 * that nobody knows has landed or never can. Later looks take what one page and a few calls tell, and hold up nobody.
 * @returns `none` also where it cannot be told yet: `prepareSolana` signs for no payout then
 * @throws AppError confirm_rpc_unavailable
 */
export async function readForeignSolana(
  context: ChainContext,
  account: string,
  known: KnownTransactions,
  past: SolanaPast,
): Promise<ForeignTransactions | 'none' | 'unread'> {
  noteNewest(past, known.block ?? 0)
  const { closed } = past
  if (!closed) return 'none'
  const of = { context, account, known, past: { ...past, closed } }
  if (!past.isRead) return readOn(of, past)
  try {
    return await readNewest(of)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return 'none'
  }
}

interface Look {
  context: ChainContext
  account: string
  known: KnownTransactions
  past: Past
}

/** One page more of the list. @param past changed where what was read is written down */
async function readOn(of: Look, past: SolanaPast): Promise<ForeignTransactions | 'unread'> {
  const { known } = of
  const { closed } = of.past
  // One that another process has begun, or this one before it was told that nothing can land, is brought to its end first.
  const look = known.look?.until === known.signature ? known.look : undefined
  const isOwn = look === undefined || look.before === past.before
  const page = await list(of, look?.before)
  if (look && page.length === 0) {
    if (isOwn) throw unavailable(`no node shows what was before ${look.before}`)
    // Of one that an earlier process has begun, nodes may have forgotten the place: nothing was passed by it that is not read again.
    return readOn({ ...of, known: { ...known, look: undefined } }, past)
  }
  const end = page.findIndex(({ signature }) => signature === known.signature)
  const since = known.signature === undefined ? (await known.since()).getTime() / 1_000 : 0
  const isOlder = ({ blockTime }: Named): boolean => (blockTime ?? Infinity) < since
  const named = (end === -1 ? page : page.slice(0, end)).filter((one) => !isOlder(one))
  const transfers = await transfersOf(of, named, READ_WAITING)
  if (!transfers) return 'unread'
  const marks = isOwn ? unshown(closed, page) : closed.marks
  const head = look?.head ?? newestFinal(named)
  const last = page.at(-1)
  const isOver = end !== -1 || page.length < PAGE || !last || isOlder(last)
  const next = isOver ? undefined : { head, before: beforeOf(page), until: known.signature }
  const isAll = isOver && isOwn && marks.size === 0
  const wasRecorded = (): void => {
    closed.marks = marks
    past.before = isOwn ? next?.before : undefined
    past.isRead ||= isAll
    past.seen.clear()
  }
  const signature = (isOver ? head : undefined) ?? known.signature
  const progress = { look: next, isAll, wasRecorded }
  return { transfers, mayHaveSentCoins: false, nonce: 0, block: undefined, signature, progress }
}

/** The marks that no page has shown. A node writes its list in the order of slots: one that shows a later slot lacks nothing before it. */
function unshown({ marks, slot }: ClosedPast, page: readonly Named[]): Set<string> {
  const [newest] = page
  if (newest && newest.slot > slot) return new Set()
  const shown = new Set(page.map(({ signature }) => signature))
  return new Set([...marks].filter((mark) => !shown.has(mark)))
}

/**
 * What is new since the last look, as far as it takes little: strangers may name the account as often as they like. Where they fill a page
 * that is left out, so that the next process has not to read it either: all that the account has sent since then is written down.
 */
async function readNewest(of: Look): Promise<ForeignTransactions | 'none'> {
  const { known } = of
  const page = await list(of, undefined, known.signature)
  const transfers = page.length < PAGE ? await transfersOf(of, page, READ_BESIDE) : []
  const signature = newestFinal(page) ?? known.signature
  if (!transfers || (transfers.length === 0 && signature === known.signature)) return 'none'
  return { transfers, mayHaveSentCoins: false, nonce: 0, block: undefined, signature }
}

/** A page of the list, the newest first. */
async function list(
  { context, account, past }: Look,
  before: string | undefined,
  until?: string,
): Promise<readonly Named[]> {
  const ends = { ...(before !== undefined && { before }), ...(until !== undefined && { until }) }
  const search = { commitment: 'confirmed', minContextSlot: past.closed.slot, limit: PAGE, ...ends }
  return (await ask('confirm', () =>
    context.client.call('getSignaturesForAddress', [account, search]),
  )) as readonly Named[]
}

/**
 * Where the next page begins: it shows this one's last again. A node that does not know a signature lists nothing before it, as if the list
 * had come to its end; this way an empty page is always that.
 */
function beforeOf(page: readonly Named[]): string {
  return page.at(-2)?.signature ?? ''
}

/** The newest that cannot be dropped any more. */
function newestFinal(named: readonly Named[]): string | undefined {
  return named.find(({ confirmationStatus }) => confirmationStatus === 'finalized')?.signature
}

/** What some transactions sent to others; undefined where there are more of them than may be read now, and the next round goes on. */
async function transfersOf(
  { context, account, known, past: { seen } }: Look,
  named: readonly Named[],
  readMax: number,
): Promise<ForeignTransfer[] | undefined> {
  const landed = named.filter(({ err }) => err === null)
  const ours = await known.ours(landed.map(({ signature }) => signature))
  const foreign = landed.filter(({ signature }) => !ours.has(signature))
  const wanted = new Set(foreign.map(({ signature }) => signature))
  for (const signature of seen.keys()) if (!wanted.has(signature)) seen.delete(signature)
  const unread = foreign.filter(({ signature }) => !seen.has(signature))
  // The oldest first: a node may not show the newest yet.
  const some = unread.toReversed().slice(0, readMax)
  await readSent(context, account, some, (signature, sent) => seen.set(signature, sent))
  if (some.length < unread.length) return undefined
  return foreign.flatMap(({ signature, blockTime }) =>
    (seen.get(signature) ?? []).map((one) => ({ ...one, minedAt: new Date((blockTime ?? 0) * 1_000) })),
  )
}

function unavailable(details: string): AppError {
  return new AppError('confirm_rpc_unavailable', { details })
}
