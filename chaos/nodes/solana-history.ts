import { configOf, STATUS_CACHE_SLOTS, type SlotView } from './solana-view.js'

interface Status {
  slot: number
}

const PAGE = 1_000

/** `getSignatureStatuses` as the node knows them: the newest from its cache, older ones from its store if it is asked to. */
export async function statusesAt(view: SlotView, params: readonly unknown[]): Promise<unknown> {
  const [signatures] = params
  const searches = configOf(params.slice(1))['searchTransactionHistory'] === true
  const answer = (await view.read('getSignatureStatuses', [signatures, { searchTransactionHistory: true }])) as {
    context: object
    value: (Status | null)[]
  }
  const [confirmed, finalized] = [await view.slotOf('confirmed'), await view.slotOf('finalized')]
  const value = answer.value.map((status) => {
    if (status === null || status.slot > view.processed) return null
    const isCached = status.slot >= view.processed - STATUS_CACHE_SLOTS
    if (!isCached && (!searches || status.slot > view.stored)) return null
    return { ...status, ...commitmentOf(status.slot, { ...view, confirmed, finalized }) }
  })
  return { context: { ...answer.context, slot: view.processed }, value }
}

function commitmentOf(slot: number, view: { processed: number; confirmed: number; finalized: number }): object {
  if (slot <= view.finalized) return { confirmations: null, confirmationStatus: 'finalized' }
  const confirmationStatus = slot <= view.confirmed ? 'confirmed' : 'processed'
  return { confirmations: view.processed - slot, confirmationStatus }
}

/** `getSignaturesForAddress`: what the node's store has. */
export async function signaturesAt(view: SlotView, params: readonly unknown[]): Promise<unknown> {
  const [address] = params
  const { limit = PAGE, commitment, ...config } = configOf(params)
  const newest = Math.min(await view.slotOf(commitment), view.stored)
  // The real node counts its limit from its own newest one.
  const all = (await view.read('getSignaturesForAddress', [address, { ...config, limit: PAGE }])) as Status[]
  return all.filter(({ slot }) => slot <= newest).slice(0, Number(limit))
}

/** `getTransaction`: null for one that the node's store does not have. */
export async function transactionAt(view: SlotView, params: readonly unknown[]): Promise<unknown> {
  const newest = Math.min(await view.slotOf(configOf(params)['commitment']), view.stored)
  const found = (await view.read('getTransaction', params)) as Status | null
  return found !== null && found.slot <= newest ? found : null
}
