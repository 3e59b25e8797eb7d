import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startAddressHarness, units } from '../../fixtures/address-payments.js'
import type { NewDeposit, PaymentAddress } from '../../model/payment-address.js'
import { applyDeposits } from './apply-deposits.js'

const { harness, deps, opened } = await startAddressHarness()
/** Above all blocks of the chain. */
const BLOCK = 1_000_000_000n

it('what was in a dropped block before anybody had judged its sender is looked at once more, and again when it is back', async () => {
  const { payment, address } = await opened()
  const { tenantId, paymentId, chainName } = address
  const hash = `0x${randomBytes(32).toString('hex')}` as const
  const inBlock = { blockNumber: BLOCK, blockHash: hash, minedAt: harness.clock.now() }
  const deposit = {
    tenantId,
    paymentId,
    hash,
    logIndex: 0,
    sender: harness.newReceiver(),
    amount: units('5'),
    ...inBlock,
  }
  const comes = () =>
    deps.addresses.record(chainName, { scopes: [], from: undefined, upTo: { block: BLOCK, blockHash: hash } }, [
      deposit,
    ])
  const isDue = async (): Promise<boolean> => {
    const due = await deps.addresses.due(chainName, harness.clock.now(), { after: '', limit: 100 })
    return due.some((one) => one.paymentId === payment.id)
  }
  await comes()
  await deps.addresses.rewind(chainName, [], { block: BLOCK - 1n, blockHash: hash })
  expect(await isDue()).toBe(true)
  await applyDeposits(deps, address)
  expect(await isDue()).toBe(false)
  await comes()
  expect(await isDue()).toBe(true)
})

describe('one transaction that pays several payments and whose block is dropped', () => {
  const newHash = () => `0x${randomBytes(32).toString('hex')}` as const
  const chainName = 'polygon'

  /** Two payments, and what one transaction brings them in a block, from a place in it on. */
  async function paidTogether() {
    const [one, other] = [(await opened()).address, (await opened()).address]
    const hash = newHash()
    const senders = new Map([one, other].map(({ paymentId }) => [paymentId, harness.newReceiver()]))
    const bring = (place: number, paid: readonly PaymentAddress[] = [one, other]): NewDeposit[] => {
      const inBlock = { blockNumber: BLOCK, blockHash: newHash(), minedAt: harness.clock.now() }
      return paid.map(({ tenantId, paymentId }, index) => ({
        ...{ tenantId, paymentId, hash, logIndex: place + index, ...inBlock },
        ...{ sender: senders.get(paymentId) ?? '', amount: units(paymentId === one.paymentId ? '5' : '7') },
      }))
    }
    return { one, other, bring, senders }
  }
  const find = (deposits: readonly NewDeposit[]) =>
    deps.addresses.record(
      chainName,
      { scopes: [], from: undefined, upTo: { block: BLOCK, blockHash: newHash() } },
      deposits,
    )
  const drop = () => deps.addresses.rewind(chainName, [], { block: BLOCK - 1n, blockHash: newHash() })
  const depositsAt = async (address: PaymentAddress) =>
    ((await deps.addresses.read(address))?.deposits ?? []).map(({ amount, sender, verdict }) => ({
      amount,
      sender,
      verdict,
    }))
  const judge = async ({ paymentId, ...address }: PaymentAddress, senders: ReadonlyMap<string, string>) =>
    deps.addresses.judge({ ...address, paymentId }, [senders.get(paymentId) ?? ''], 'allowed')

  it('pays each what is its own, once, where its logs have other places in the block that has it then', async () => {
    const { one, other, bring, senders } = await paidTogether()
    await find(bring(5))
    await drop()
    await find(bring(6))
    const [ofOne, ofOther] = [senders.get(one.paymentId), senders.get(other.paymentId)]
    expect(await depositsAt(one)).toEqual([{ amount: units('5'), sender: ofOne, verdict: null }])
    expect(await depositsAt(other)).toEqual([{ amount: units('7'), sender: ofOther, verdict: null }])
  })

  it('pays each once where the new block is read before the old one is known to be dropped', async () => {
    const { one, other, bring } = await paidTogether()
    await find(bring(5))
    await find(bring(6))
    expect(await depositsAt(one)).toMatchObject([{ amount: units('5') }])
    expect(await depositsAt(other)).toMatchObject([{ amount: units('7') }])
  })

  it('leaves a payment what it has, though another one is found in its place before it is read again', async () => {
    const { one, other, bring } = await paidTogether()
    await find(bring(5))
    const again = bring(6)
    await find(again.filter(({ paymentId }) => paymentId === one.paymentId))
    expect(await depositsAt(one)).toMatchObject([{ amount: units('5') }])
    expect(await depositsAt(other)).toMatchObject([{ amount: units('7') }])
    await find(again)
    expect(await depositsAt(one)).toMatchObject([{ amount: units('5') }])
    expect(await depositsAt(other)).toMatchObject([{ amount: units('7') }])
  })

  it('takes no sender for one who was asked about since he stands where that one stood, and asks nobody twice', async () => {
    const { one, other, bring, senders } = await paidTogether()
    await find(bring(5))
    await judge(other, senders)
    await drop()
    await find(bring(6))
    expect(await depositsAt(one)).toMatchObject([{ verdict: null }])
    expect(await depositsAt(other)).toMatchObject([{ verdict: 'allowed' }])
  })

  it('has a payment looked at that gets nothing any more, though another one has its place', async () => {
    const { one, other, bring } = await paidTogether()
    await find(bring(5))
    for (const address of [one, other]) await applyDeposits(deps, address)
    await drop()
    await find(bring(6, [one]))
    await applyDeposits(deps, one)
    const due = await deps.addresses.due(chainName, harness.clock.now(), { after: '', limit: 100 })
    expect(due.map(({ paymentId }) => paymentId)).toContain(other.paymentId)
    await applyDeposits(deps, other)
    expect(await deps.payments.find(other.tenantId, other.paymentId)).toMatchObject({ receivedAmount: null })
  })
})
