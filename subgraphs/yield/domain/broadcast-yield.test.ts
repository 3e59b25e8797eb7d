import { Keypair, SystemProgram, VersionedTransaction } from '@solana/web3.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { RpcCall } from '../../../test/harness/rpc-proxy.js'
import { refusalOf, sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastsOf, inUsdc, isSend, refusal, signatureOf } from '../fixtures/broadcasts.js'
import { broadcastYield } from './broadcast-yield.js'
import { depositYield } from './deposit-yield.js'
import { withdrawYield } from './withdraw-yield.js'

const harness = await startYieldHarness()
const { broadcast, refused, sends, signedDeposit, compile } = broadcastsOf(harness)
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
  harness.rpc.onAnswer = () => undefined
  harness.rpc.calls.length = 0
})

const signedWithdrawal = async (wallet: Keypair, amount: string) =>
  sign(wallet, (await withdrawYield(harness.deps, TENANT, inUsdc(wallet, amount))).transaction)
const isLook = ({ method }: RpcCall) => method === 'getSignatureStatuses'
const usdcOf = (wallet: Keypair) => harness.balanceOf(wallet.publicKey, harness.marketOf('beta', 'USDC').asset.mint)

/** A node's answer to a look for one transaction. */
const statusOf = (value: object | null) => ({ answer: { result: { context: { slot: 1 }, value: [value] } } })

/** A wallet, and the deposit that it has signed. */
const newDeposit = async () => {
  const wallet = await harness.newWallet()
  return { wallet, wire: await signedDeposit(wallet) }
}

describe('what cannot be sent', () => {
  it.each([
    ['nothing', null],
    ['an empty list', []],
    ['an empty text', ['']],
    ['no base64', ['not base64']],
    ['base64 of nothing useful', [Buffer.from('hello').toString('base64')]],
    ['more than a packet', [Buffer.alloc(1233).toString('base64')]],
  ])('is refused: %s', async (_what, opSigned) => {
    expect(await refused(opSigned)).toMatchObject({ code: 'signed_transaction_missing' })
  })

  it('is refused where it is not signed, or signed by another wallet, without asking the chain', async () => {
    const wallet = await harness.newWallet()
    const { transaction } = await depositYield(harness.deps, TENANT, inUsdc(wallet, '1'))
    const forged = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
    forged.addSignature(wallet.publicKey, Buffer.alloc(64, 1))
    harness.rpc.calls.length = 0
    for (const wire of [transaction, Buffer.from(forged.serialize()).toString('base64')]) {
      expect(await refused([wire])).toMatchObject({ code: 'signed_transaction_missing' })
    }
    expect(harness.rpc.calls).toEqual([])
  })

  it('is refused above two transactions, on another chain, and where it is no operation of a strategy', async () => {
    const { wallet, wire } = await newDeposit()
    expect(await refused([wire, wire, wire])).toMatchObject({ code: 'invalid_parameters' })
    const elsewhere = broadcastYield.bind(null, harness.deps, TENANT, { chainName: 'polygon', opSigned: [wire] })
    expect(await refusalOf((async () => elsewhere())())).toMatchObject({ code: 'validation_error' })
    const payment = SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 1,
    })
    expect(await refused([await compile(wallet, [payment])])).toMatchObject({ code: 'invalid_parameters' })
  })

  it('waits for another time, and says why, while the markets that it may be for cannot be read', async () => {
    const { wire } = await newDeposit()
    harness.rpc.calls.length = 0
    harness.rpc.onCall = () => 'cut'
    const freshProcess = await harness.anotherProcess()
    expect(await refusalOf(broadcast([wire], freshProcess))).toEqual({
      code: 'broadcast_rpc_unavailable',
      details: expect.stringContaining('the chain has not told of all markets yet'),
    })
    expect(sends()).toBe(0)
    harness.rpc.onCall = () => 'pass'
    expect(await broadcast([wire], freshProcess)).toMatchObject({ transactionHashes: null })
  })
})

describe('the same signed bytes', () => {
  it('fifty times at once and in two processes are executed once, and all get the same answer', async () => {
    const { wallet, wire } = await newDeposit()
    const other = await harness.anotherProcess()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => broadcast([wire], index % 2 === 0 ? harness.deps : other)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ transactionHash: signatureOf(wire), transactionHashes: null })]),
    )
    expect(sends()).toBe(1)
    expect(await usdcOf(wallet)).toBe(990_000_000n)
  })

  it('sent again later get the same answer from our own record, though the chain has forgotten them', async () => {
    const { wire } = await newDeposit()
    const first = await broadcast([wire])
    harness.rpc.onCall = () => 'cut'
    expect(await broadcast([wire])).toEqual(first)
  })

  it('that landed by another way are not sent again', async () => {
    const { wire } = await newDeposit()
    await harness.client.connection.sendEncodedTransaction(wire)
    expect(await broadcast([wire])).toMatchObject({ transactionHash: signatureOf(wire) })
    expect(sends()).toBe(0)
  })
})

describe('a broadcast', () => {
  it('whose answer is lost after it has landed succeeds all the same, once', async () => {
    const { wallet, wire } = await newDeposit()
    harness.rpc.onCall = (call) => (isSend(call) ? 'drop-answer' : 'pass')
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
    expect(await usdcOf(wallet)).toBe(990_000_000n)
  })

  it.each([
    ['an internal error', refusal(-32603, 'Internal error')],
    ['a failure that is not told', refusal(-32002, 'Transaction simulation failed')],
  ])('that a node has taken and answers by %s lands once, and is not called refused', async (_what, answer) => {
    const { wallet, wire } = await newDeposit()
    let isFirst = true
    let looks = 0
    harness.rpc.onCall = async (call) => {
      // No block has it yet when the chain is asked for it.
      if (isLook(call) && looks++ < 3) return statusOf(null)
      if (!isSend(call) || !isFirst) return 'pass'
      isFirst = false
      await harness.client.connection.sendEncodedTransaction(wire)
      return answer
    }
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
    expect(await usdcOf(wallet)).toBe(990_000_000n)
  })

  it('with an expired blockhash says so, and that the operation has to be built again', async () => {
    const { wire } = await newDeposit()
    await harness.advance(200)
    expect(await refused([wire])).toMatchObject({ code: 'solana_blockhash_expired' })
  })

  it('with an expired blockhash says so also after a node has told of a slot that no chain has', async () => {
    let isAbsurd = true
    harness.rpc.onCall = (call) => {
      if (!isLook(call) || !isAbsurd) return 'pass'
      isAbsurd = false
      return { answer: { result: { context: { slot: 2 ** 50 }, value: [null] } } }
    }
    await broadcast([(await newDeposit()).wire])
    const { wire } = await newDeposit()
    await harness.advance(200)
    expect(await refused([wire])).toMatchObject({ code: 'solana_blockhash_expired' })
  })

  it('that one node calls expired is not given up while it may turn up on another', async () => {
    const { wire } = await newDeposit()
    let refusals = 0
    harness.rpc.onCall = (call) => {
      if (!isSend(call) || refusals === 3) return 'pass'
      refusals += 1
      return refusal(-32002, 'Transaction simulation failed: Blockhash not found', { err: 'BlockhashNotFound' })
    }
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
    expect(refusals).toBe(3)
  })

  it('that is fresh is not called expired by a node that is behind and does not know its blockhash', async () => {
    const { wallet, wire } = await newDeposit()
    let refusals = 0
    harness.rpc.onCall = (call) => {
      if (call.method === 'isBlockhashValid') return { answer: { result: { context: { slot: 1 }, value: false } } }
      if (!isSend(call) || refusals === 3) return 'pass'
      refusals += 1
      return refusal(-32002, 'Transaction simulation failed: Blockhash not found', { err: 'BlockhashNotFound' })
    }
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
    expect(await usdcOf(wallet)).toBe(990_000_000n)
  })

  it('that has landed is not called expired by a node that does not show it', async () => {
    const { wire } = await newDeposit()
    await harness.client.connection.sendEncodedTransaction(wire)
    await harness.advance(100)
    let looks = 0
    harness.rpc.onCall = (call) => {
      if (!isLook(call) || looks === 3) return 'pass'
      looks += 1
      return statusOf(null)
    }
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
  })

  it('that would fail is not sent, and says why', async () => {
    const wallet = await harness.newWallet()
    await broadcast([await signedDeposit(wallet)])
    const wire = await signedWithdrawal(wallet, '9')
    await broadcast([await signedWithdrawal(wallet, '9.5')])
    expect(await refused([wire])).toMatchObject({
      code: 'broadcast_simulation_failed',
      details: expect.stringMatching(/Custom.*1/),
    })
  })

  it.each([
    ['cannot be reached', 'cut' as const],
    ['is behind', refusal(-32005, 'Node is behind by 200 slots')],
  ])('to a node that %s is not sent', async (_what, fate) => {
    const { wire } = await newDeposit()
    harness.rpc.onCall = () => fate
    expect(await refused([wire])).toMatchObject({ code: 'broadcast_rpc_unavailable' })
    harness.rpc.onCall = (call) => (isSend(call) ? refusal(-32005, 'Node is behind by 200 slots') : 'pass')
    expect(await refused([wire])).toMatchObject({ code: 'broadcast_rpc_unavailable' })
    harness.rpc.onCall = () => 'pass'
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
  })

  it('that a node refuses for no reason of ours, and for its signature, says which', async () => {
    const { wire } = await newDeposit()
    harness.rpc.onCall = (call) => (isSend(call) ? refusal(-32602, 'invalid transaction') : 'pass')
    expect(await refused([wire])).toMatchObject({ code: 'broadcast_rejected' })
    harness.rpc.onCall = (call) =>
      isSend(call) ? refusal(-32003, 'Transaction signature verification failure') : 'pass'
    expect(await refused([wire])).toMatchObject({ code: 'signed_transaction_missing' })
  })

  it('that a node says was processed already is looked up, and not sent twice', async () => {
    const { wire } = await newDeposit()
    let asked = 0
    harness.rpc.onCall = async (call) => {
      if (isSend(call)) {
        await harness.client.connection.sendEncodedTransaction(wire)
        return refusal(-32002, 'This transaction has already been processed', { err: 'AlreadyProcessed' })
      }
      asked += isLook(call) ? 1 : 0
      return 'pass'
    }
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
    expect(asked).toBeGreaterThan(1)
  })

  it('that is not confirmed in time gives the signature to look for, and goes on as if it had been', async () => {
    const { wallet, wire } = await newDeposit()
    harness.rpc.onCall = (call) => (isLook(call) ? statusOf(null) : 'pass')
    const answer = await refused([wire])
    expect(answer).toEqual({ code: 'broadcast_confirmation_timeout', details: `transactionHash ${signatureOf(wire)}` })
    harness.rpc.onCall = () => 'pass'
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
    expect(await usdcOf(wallet)).toBe(990_000_000n)
  })

  it('that is only processed waits for the commitment of the chain', async () => {
    const { wire } = await newDeposit()
    const processed = { slot: 1, confirmations: 0, err: null, confirmationStatus: 'processed' }
    let looks = 0
    harness.rpc.onCall = (call) => {
      if (!isLook(call) || sends() === 0) return 'pass'
      looks += 1
      return looks < 4 ? statusOf(processed) : 'pass'
    }
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
    expect(looks).toBeGreaterThanOrEqual(4)
    expect(sends()).toBe(1)
  })

  it('whose chain cannot be asked any more after it was sent says that', async () => {
    const { wire } = await newDeposit()
    harness.rpc.onCall = (call) => (isLook(call) && sends() > 0 ? 'cut' : 'pass')
    expect(await refused([wire])).toMatchObject({ code: 'confirm_rpc_unavailable' })
  })

  it('that landed and failed says so, now and every time it is sent again', async () => {
    const { wire } = await newDeposit()
    const error = { InstructionError: [2, { Custom: 6003 }] }
    const failed = { slot: 1, confirmations: null, err: error, confirmationStatus: 'finalized' }
    harness.rpc.onCall = (call) => (isLook(call) ? statusOf(failed) : 'pass')
    const expected = { code: 'confirm_transaction_failed', details: expect.stringContaining('6003') }
    expect(await refused([wire])).toMatchObject(expected)
    harness.rpc.onCall = () => 'pass'
    expect(await refused([wire])).toMatchObject(expected)
    expect(sends()).toBe(0)
  })
})
