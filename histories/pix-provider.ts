import { ProviderError } from '../kernel/provider-error.js'
import { compare, subtract, sum } from '../kernel/money.js'
import type { Clock } from '../kernel/clock.js'
import type { Refund } from '../subgraphs/payments/model/charge.js'
import type { ProcessorAdapter } from '../subgraphs/payments/rails/processor-adapter.js'

interface Movement {
  id: string
  amount: string
  at: Date
  refunds: Refund[]
}

/** A provider of instant transfers that a history drives: refunds have names, may wait, be refused, or be taken by force. */
export interface PixProvider {
  adapter: ProcessorAdapter
  pay: (reference: string, amount: string) => void
  /** Takes money back by force: all that is left, or a part. @param amount as much as is left at most */
  force: (reference: string, amount: string | undefined) => void
  /** Ends what waits. */
  endRefunds: (isDone: boolean) => void
  /** What becomes of the next refund that is ordered. */
  next: { mode: 'done' | 'waits' | 'declined' | 'lost' }
  /** Decimal strings. */
  truth: () => { received: string; returned: string }
}

export function pixProvider(clock: Clock, newId: () => string): PixProvider {
  const movements = new Map<string, Movement[]>()
  const all = (): Movement[] => [...movements.values()].flat()
  const open = (): Refund[] => all().flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'processing'))
  const leftOf = ({ amount, refunds }: Movement): string =>
    subtract(amount, sum(refunds.filter(({ status }) => status !== 'refused').map((one) => one.amount)))
  const provider: PixProvider = {
    next: { mode: 'done' },
    pay: (reference, amount) => {
      const one = { id: `E${newId()}`, amount, at: clock.now(), refunds: [] }
      movements.set(reference, [...(movements.get(reference) ?? []), one])
    },
    force: (reference, wanted) => {
      const movement = movements.get(reference)?.[0]
      if (!movement || compare(leftOf(movement), '0') <= 0) return
      const left = leftOf(movement)
      const amount = wanted !== undefined && compare(wanted, left) < 0 ? wanted : left
      movement.refunds.push({ id: `D${newId()}`, amount, status: 'done', forced: true, reason: 'MED_FRAUDE' })
    },
    endRefunds: (isDone) => {
      for (const refund of open()) refund.status = isDone ? 'done' : 'refused'
    },
    truth: () => ({
      received: sum(all().map(({ amount }) => amount)),
      returned: sum(
        all().flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'done').map((one) => one.amount)),
      ),
    }),
    adapter: {
      ...noCharges,
      retrieve: (reference) => {
        const received = (movements.get(reference) ?? []).map((one) => ({
          ...one,
          refunds: one.refunds.map((refund) => ({ ...refund })),
        }))
        const status = received.length > 0 ? 'paid' : 'open'
        return Promise.resolve({
          status,
          providerStatus: status,
          expiresAt: undefined,
          data: {},
          receivedPayments: received,
        })
      },
      refund: ({ receiptId, providerRefundId, amount }) => {
        const { mode } = provider.next
        provider.next = { mode: 'done' }
        const movement = all().find(({ id }) => id === receiptId)
        const known = movement?.refunds.find(({ id }) => id === providerRefundId)
        if (known) return Promise.resolve({ ...known })
        if (!movement || mode === 'declined' || compare(amount, leftOf(movement)) > 0) throw failure('declined')
        const refund: Refund = {
          id: providerRefundId,
          amount,
          status: mode === 'waits' ? 'processing' : 'done',
          forced: false,
          reason: 'ORIGINAL',
        }
        movement.refunds.push(refund)
        if (mode === 'lost') throw failure('timeout')
        return Promise.resolve({ ...refund })
      },
    },
  }
  return provider
}

export function failure(kind: 'declined' | 'timeout'): ProviderError {
  return new ProviderError({ provider: 'model', kind, retryable: false, message: `the provider has it ${kind}` })
}

const never = (): never => {
  throw new Error('histories never come here')
}

/** What of an adapter a history has no use for. */
const noCharges = {
  currency: 'BRL',
  decimals: 2,
  chargesImmediately: false,
  referenceOf: never,
  payerOf: never,
  create: never,
  cancel: never,
  show: never,
  readCallback: never,
  ensureCallbacks: never,
} satisfies Partial<ProcessorAdapter>
