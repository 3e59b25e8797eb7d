import { url } from '../../../kernel/env.js'
import type { ChargeView } from '../../../subgraphs/payments/model/charge.js'
import type { ProcessorAdapter } from '../../../subgraphs/payments/rails/processor-adapter.js'
import type { RailKind, TransactionTypes } from '../../../subgraphs/payments/rails/rail.js'

const types: TransactionTypes = {
  bankslip: { description: 'A bank slip pays, the receivers get crypto.', method: 'crypto', product: 'crypto' },
}

/** A rail that there is not: a payer takes a slip to a bank, which lives in this process. */
export const bankSlip: RailKind = {
  name: 'bankslip',
  product: 'crypto',
  types,
  environment: {
    variables: { url: url('BANKSLIP_BASE_URL', "the bank's API") },
    required: ['BANKSLIP_BASE_URL'],
    secrets: [],
  },
  configure: () => (deps) => ({
    kind: 'charge',
    name: 'bankslip',
    types,
    needsVerifiedPayer: false,
    check: ({ payerCpf }) => (payerCpf ? [] : [{ field: 'payerCpf', message: 'is required for bank slips' }]),
    adapter: adapterOf(() => deps.clock.now()),
  }),
}

const slips = new Map<string, ChargeView>()

/** Pays a slip at the counter. */
export function payBankSlip(reference: string, at: Date): void {
  const slip = slips.get(reference)
  if (slip?.status !== 'open') return
  const received = { id: `slip-${reference}`, amount: String(slip.data['amount']), at, refunds: [] }
  slips.set(reference, { ...slip, status: 'paid', providerStatus: 'paid', receivedPayments: [received] })
}

function adapterOf(now: () => Date): ProcessorAdapter {
  return {
    currency: 'BRL',
    decimals: 2,
    chargesImmediately: false,
    referenceOf: (paymentId, attempt) => `${paymentId}-${attempt}`,
    payerOf: () => ({ masked: '***', hash: 'of-the-payer' }),
    create: async ({ reference, amount, lifeSeconds }) => {
      const expiresAt = new Date(now().getTime() + lifeSeconds * 1000)
      const made = {
        status: 'open',
        providerStatus: 'open',
        expiresAt,
        data: { amount },
        receivedPayments: [],
      } as const
      const slip = slips.get(reference) ?? made
      slips.set(reference, slip)
      return slip
    },
    retrieve: async (reference) => slips.get(reference),
    cancel: async (reference) => {
      const slip = slips.get(reference)
      if (slip?.status === 'open') slips.set(reference, { ...slip, status: 'cancelled', providerStatus: 'cancelled' })
    },
    refund: async ({ providerRefundId, amount }) => ({
      id: providerRefundId,
      amount,
      status: 'done',
      forced: false,
      reason: 'refund',
    }),
    show: async () => undefined,
    readCallback: () => undefined,
    ensureCallbacks: async () => undefined,
  }
}
