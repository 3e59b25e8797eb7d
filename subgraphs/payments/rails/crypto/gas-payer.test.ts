import { EntityManager } from '@mikro-orm/postgresql'
import { parseEther, parseTransaction, type Address, type Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { signTransaction } from '../../../../chains/evm/signer.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { balanceIn } from '../../fixtures/books.js'
import { gasPayerTransactionsStore } from '../../store/gas-payer-transactions.js'

/** Code that loops 600,000 times: some 26 million gas, which a block of the node (60 million) would still hold. */
const LOOP: Hex = '0x620f42405b600190038060045700'
const GWEI = 1_000_000_000n

const harness = await startSettlementHarness()
const operator = harness.options.gasPayerSigner.address
const FUNDS = 10n ** 20n
await harness.anvil.setBalance({ address: operator, value: FUNDS })

const callTo = (to: Address) => ({ to, data: '0x' as const, value: 0n })
const nonceOf = () => harness.anvil.getTransactionCount({ address: operator })
/** The node puts a transaction into a block of its own a moment after it has taken it. */
const untilNonce = (nonce: number) => until(`nonce ${nonce}`, async () => (await nonceOf()) === nonce)
const rowsOf = (purpose: string) =>
  harness.query('select nonce, hash, state from payments.operator_transaction where purpose = $1', [purpose])
const send = (purpose: string, to = harness.newReceiver()) =>
  harness.deps.gasPayer.send(harness.chain, purpose, callTo(to))
/** Until what was written down is old enough for its purpose to be looked at. */
const growOld = () => harness.advance(6)

/** Writes down what an earlier version of the product might have: more gas than a block of the node holds. Gives its nonce. */
async function writeRefused(purpose: string): Promise<number> {
  const nonce = await nonceOf()
  const signer = harness.options.gasPayerSigner
  const call = {
    ...callTo(harness.newReceiver()),
    gas: 80_000_000n,
    maxFeePerGas: 10n * GWEI,
    maxPriorityFeePerGas: GWEI,
  }
  const { hash, raw } = await signTransaction(signer, { ...call, chainId: harness.chain.chainId, nonce })
  const rows = gasPayerTransactionsStore(harness.db)(harness.chain.name, operator)
  // Of what was written down just now nobody but its own purpose asks.
  const createdAt = new Date(harness.clock.now().getTime() - 10_000)
  await rows.add({ nonce, purpose, hash, raw, createdAt })
  return nonce
}

describe('the operator', () => {
  it('writes nothing down for a call that needs more gas than it pays for', async () => {
    const greedy = harness.newReceiver()
    await harness.anvil.setCode({ address: greedy, bytecode: LOOP })
    await expect(send('greedy', greedy)).rejects.toMatchObject({ code: 'broadcast_rejected' })
    expect(await rowsOf('greedy')).toEqual([])
    const before = await nonceOf()
    expect(await send('next')).toBe('sent')
    await untilNonce(before + 1)
  })

  it('gives a call no more gas than the call may have, though it would pay for more', async () => {
    const thirsty = harness.newReceiver()
    // As `LOOP`, 20,000 times: half a million gas.
    await harness.anvil.setCode({ address: thirsty, bytecode: '0x62004e205b600190038060045700' })
    const before = await nonceOf()
    const call = { ...callTo(thirsty), gasMax: 300_000n }
    await expect(harness.deps.gasPayer.send(harness.chain, 'thirsty', call)).rejects.toMatchObject({
      code: expect.stringMatching(/^broadcast_/) as string,
    })
    expect(await rowsOf('thirsty')).toEqual([])
    expect(await send('thirsty', thirsty)).toBe('sent')
    await untilNonce(before + 1)
  })

  it('adds what a call may need beside the estimate, as far as it pays for so much', async () => {
    const nonce = await nonceOf()
    for (const gasSpare of [50_000n, 50_000_000n]) {
      const call = { ...callTo(harness.newReceiver()), gasSpare }
      expect(await harness.deps.gasPayer.send(harness.chain, `spare ${gasSpare}`, call)).toBe('sent')
    }
    await untilNonce(nonce + 2)
    const rows = await harness.query(
      `select raw from payments.operator_transaction where purpose like 'spare %' order by nonce`,
    )
    // A fifth more than the 21,000 of a transfer; and no more than any transaction of the account may use.
    expect(rows.map(({ raw }) => parseTransaction(raw as Hex).gas)).toEqual([75_200n, 9_000_000n])
  })

  it('sends nothing for a purpose whose transaction was mined since the caller looked: the caller looks again', async () => {
    const nonce = await nonceOf()
    expect(await send('mined')).toBe('sent')
    await untilNonce(nonce + 1)
    await growOld()
    expect(await send('mined')).toBe('sent')
    expect(await rowsOf('mined')).toHaveLength(1)
    expect(await send('mined')).toBe('sent')
    await untilNonce(nonce + 2)
  })

  it('frees the nonce of what no node takes, so that others go on', async () => {
    const nonce = await writeRefused('refused')
    expect(await send('behind')).toBe('sent')
    await untilNonce(nonce + 2)
    const alerts = await harness.deps.alerts.list()
    expect(alerts.map(({ kind, subject }) => [kind, subject])).toContainEqual(['operator_stuck', harness.chain.name])
    // Its purpose may have another one.
    expect(await rowsOf('refused')).toEqual([])
    expect(await send('refused')).toBe('sent')
    await untilNonce(nonce + 3)
  })

  it('tells whoever asks for it that no node takes it, and takes another one after that', async () => {
    const nonce = await writeRefused('own')
    await expect(send('own')).rejects.toMatchObject({ code: 'broadcast_rejected' })
    expect(await send('own')).toBe('sent')
    await untilNonce(nonce + 2)
  })

  it('raises the fees of a transaction that no block takes, and lets one of its versions land', async () => {
    const nonce = await nonceOf()
    await harness.anvil.setAutomine(false)
    await send('slow')
    const [first] = await rowsOf('slow')
    expect(await send('slow')).toBe('pending')
    expect(await rowsOf('slow')).toEqual([first])
    await harness.advance(61)
    expect(await send('slow')).toBe('pending')
    const [second] = await rowsOf('slow')
    expect(second).toMatchObject({ nonce, state: 'stored' })
    expect(second?.['hash']).not.toBe(first?.['hash'])
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await send('last')).toBe('sent')
    expect(await rowsOf('slow')).toEqual([{ nonce, hash: second?.['hash'], state: 'final' }])
    await untilNonce(nonce + 2)
  })

  it('takes many at once, each of them once, and has all of them on their way together', async () => {
    const nonce = await nonceOf()
    await harness.anvil.setAutomine(false)
    const purposes = Array.from({ length: 12 }, (_, index) => `together ${index}`)
    const receivers = purposes.map(() => harness.newReceiver())
    const outcomes = new Set<string>()
    await until('all are on their way', async () => {
      const asked = purposes.map((purpose, index) => send(purpose, receivers[index]))
      const answers = await Promise.all(asked)
      for (const answer of answers) outcomes.add(answer)
      return answers.every((answer) => answer === 'pending')
    })
    expect(outcomes).toEqual(new Set(['sent', 'busy', 'pending']))
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    await untilNonce(nonce + 12)
    expect(
      await harness.query(`select 1 from payments.operator_transaction where purpose like 'together %'`),
    ).toHaveLength(12)
  })

  it('follows and books what nobody asks for any more, also while others sign', async () => {
    const nonce = await nonceOf()
    expect(await send('asked for once')).toBe('sent')
    await untilNonce(nonce + 1)
    const { gasPayer } = harness.deps
    expect(await gasPayer.hasUnfinal(harness.chain.name)).toBe(true)
    await harness.anvil.mine({ blocks: 2 })
    const lock = `operator:${harness.chain.name}:${operator}`
    await withAdvisoryLock(harness.db.pool, lock, () => gasPayer.follow(harness.chain))
    expect(await gasPayer.hasUnfinal(harness.chain.name)).toBe(false)
    expect(await rowsOf('asked for once')).toMatchObject([{ state: 'final' }])
  })

  it('sends again what nobody asks for any more, where a reorganisation drops it', async () => {
    const nonce = await nonceOf()
    expect(await send('dropped')).toBe('sent')
    await untilNonce(nonce + 1)
    await harness.anvil.setAutomine(false)
    await harness.anvil.request({ method: 'anvil_reorg', params: [1, []] } as never)
    expect(await nonceOf()).toBe(nonce)
    // The node has forgotten it with the block; the account is looked at as long as it is not final.
    await harness.anvil.dropTransaction({ hash: String((await rowsOf('dropped'))[0]?.['hash']) as Hex })
    await growOld()
    await harness.deps.gasPayer.follow(harness.chain)
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await nonceOf()).toBe(nonce + 1)
  })

  it('reads the newest of what was sent for a purpose without those before it', async () => {
    const rows = gasPayerTransactionsStore(harness.db)('another chain', operator)
    for (let nonce = 0; nonce < 3; nonce += 1) {
      const row = await rows.add({
        nonce,
        purpose: 'often',
        hash: `0x${nonce}`,
        raw: '0x',
        createdAt: harness.clock.now(),
      })
      await rows.markFinal(row, harness.clock.now())
      await rows.end(row, () => Promise.resolve())
    }
    const read = vi.spyOn(EntityManager.prototype, 'find')
    expect(await rows.newestFor('often')).toMatchObject({ nonce: 2, hash: '0x2' })
    expect(await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>))).toMatchObject([
      [{ nonce: 2 }],
    ])
    read.mockRestore()
    expect(await rows.newestFor('never')).toBeUndefined()
    expect((await rows.findFor('often')).map(({ nonce }) => nonce)).toEqual([2, 1, 0])
  })

  it('books what each of its transactions has cost, whichever version landed, once', async () => {
    const nonce = await nonceOf()
    expect(await send('booked')).toBe('sent')
    await untilNonce(nonce + 1)
    await growOld()
    // The second time it is found mined.
    expect(await send('booked')).toBe('sent')
    await harness.anvil.mine({ blocks: 2 })
    await harness.deps.gasPayer.follow(harness.chain)
    await harness.deps.gasPayer.follow(harness.chain)
    const spent = FUNDS - (await harness.anvil.getBalance({ address: operator }))
    expect(-parseEther(await balanceIn(harness.deps, 'gas-payer:polygon', 'POL'))).toBe(spent)
    expect(await harness.query(`select 1 from payments.operator_transaction where check_at is not null`)).toEqual([])
  })
})
