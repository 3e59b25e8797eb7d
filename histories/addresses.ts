import type { Deposit, NewDeposit, PaymentAddress } from '../subgraphs/payments/model/payment-address.js'
import type { AddressesStore, AddressReference, LoadedAddress } from '../subgraphs/payments/store/addresses.js'
import type { Memory } from './memory.js'

type Used = Pick<
  AddressesStore,
  'ofPayments' | 'accept' | 'load' | 'read' | 'judge' | 'count' | 'decided' | 'booked' | 'due' | 'record' | 'rewind'
>

/** Payments' addresses and what came there, as `store/addresses.ts` keeps them. */
export function addressesIn(memory: Memory): Used {
  const find = ({ paymentId }: AddressReference) => memory.tables.addresses.find((one) => one.paymentId === paymentId)
  const of = ({ paymentId }: AddressReference) => memory.tables.deposits.filter((one) => one.paymentId === paymentId)
  const load = (_em: unknown, reference: AddressReference): Promise<LoadedAddress | undefined> => {
    const address = find(reference)
    const deposits = of(reference)
      .filter(({ isUndone }) => !isUndone)
      .sort((left, right) => Number(left.blockNumber - right.blockNumber))
    return Promise.resolve(
      address && { address: { ...address }, deposits: deposits.map((one): Deposit => ({ ...one })) },
    )
  }
  const change = (reference: AddressReference, to: Partial<PaymentAddress>): void => {
    Object.assign(find(reference) ?? {}, to)
  }
  const add = (one: NewDeposit): void => {
    const { tables } = memory
    const same = tables.deposits.filter(({ hash }) => hash === one.hash)
    for (const other of same)
      if (other.paymentId === one.paymentId && other.blockHash !== one.blockHash && !other.isUndone)
        Object.assign(other, { isUndone: true, isApplied: false })
    const sent = same.filter(({ paymentId, sender }) => paymentId === one.paymentId && sender === one.sender)
    const verdict = sent.find((other) => other.verdict !== null)?.verdict ?? null
    const known = same.find(({ logIndex, paymentId }) => logIndex === one.logIndex && paymentId === one.paymentId)
    if (!known) tables.deposits.push({ ...one, verdict, isUndone: false, isApplied: false })
    else if (known.isUndone || known.blockHash !== one.blockHash)
      Object.assign(known, { ...one, verdict, isUndone: false, isApplied: false })
  }
  const written = (write: () => void): Promise<void> => memory.transaction(() => Promise.resolve(write()))
  return {
    ofPayments: (_tenantId, ids) =>
      Promise.resolve(ids.map((id) => memory.tables.addresses.filter(({ paymentId }) => paymentId === id))),
    load,
    read: (reference) => load(undefined, reference),
    accept: (_em, reference, due) => Promise.resolve(change(reference, { due, shared: due, lookAt: null })),
    decided: (_em, reference, lookAt, shared) => Promise.resolve(change(reference, { lookAt, shared })),
    booked: (_em, reference, booked) => Promise.resolve(change(reference, { booked })),
    judge: (reference, senders, verdict) =>
      written(() => {
        for (const one of of(reference))
          if (senders.includes(one.sender) && one.verdict === null) Object.assign(one, { verdict, isApplied: false })
      }),
    count: (_em, reference) => {
      for (const one of of(reference)) if (one.verdict !== null || one.isUndone) one.isApplied = true
      return Promise.resolve()
    },
    due: (_chainName, now) => {
      const { deposits, addresses } = memory.tables
      const news = deposits.filter(({ isApplied }) => !isApplied)
      const looked = addresses.filter(({ lookAt }) => lookAt !== null && lookAt <= now)
      const ids = new Set([...news, ...looked].map(({ paymentId }) => paymentId))
      return Promise.resolve([...ids].map((paymentId) => ({ tenantId: 'tenant', paymentId })))
    },
    record: async (_chainName, _blocks, found) => {
      await written(() => {
        for (const one of found) add(one)
      })
      return true
    },
    rewind: (_chainName, _scopes, { block }) =>
      written(() => {
        for (const one of memory.tables.deposits)
          if (one.blockNumber > block && !one.isUndone) Object.assign(one, { isUndone: true, isApplied: false })
      }),
  }
}
