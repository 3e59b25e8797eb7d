import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { afterEach, describe, expect, it } from 'vitest'
import { balanceOf, freshAddress, fund, signWire } from '../harness/solana-side.js'
import type { Answer } from '../harness/http.js'
import { createSolana, solanaTerms as terms, type SolanaTx } from '../harness/rest-solana.js'
import { startHarness } from '../harness/harness.js'
import { PAID_TYPES } from '../harness/webhook-receiver.js'

const harness = await startHarness()
const payer = await fund(harness.solana, { lamports: 1_000_000_000_000n })
afterEach(() => {
  harness.solanaRpc.onCall = () => 'pass'
})

const create = (id: string, changes: object = {}): Promise<Answer> =>
  createSolana(harness.tenant, id, payer.publicKey.toBase58(), changes)
const built = async (id: string): Promise<SolanaTx> => {
  const answer = await create(id)
  if (answer.status !== 201) throw new Error(`create transaction answered ${answer.text}`)
  return answer.body.data?.['crypto_tx'] as SolanaTx
}
const sign = (tx: SolanaTx, change?: Parameters<typeof signWire>[2]): string => signWire(payer, tx.serialized, change)
const sends = (raw: string): number =>
  harness.solanaRpc.calls.filter(({ method, params }) => method === 'sendTransaction' && params[0] === raw).length
const errorsOf = ({ body }: Answer) => [body.status, body.errors?.map(({ field }) => field)]

describe('a payment by a Solana wallet', { timeout: 60_000 }, () => {
  it('to two receivers is one transaction: each has exactly its share, once, and the tenant hears of it', async () => {
    const receivers = [freshAddress(), freshAddress()]
    const id = await harness.tenant.register(terms(receivers, [70, 30]))
    const tx = await built(id)
    expect(tx).toEqual({
      schema_version: 1,
      family: 'solana',
      chain_name: 'solana',
      serialized: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) as string,
      recent_blockhash: expect.any(String) as string,
      last_valid_block_height: expect.any(Number) as number,
      fee_payer: payer.publicKey.toBase58(),
      reference: expect.any(String) as string,
      meta: { source: 'solana_transfer' },
    })
    const { meta: _meta, ...unsigned } = tx
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'pending', unsigned_tx: unsigned })

    const raw = sign(tx)
    const [answer, again] = await Promise.all([
      harness.tenant.execute({ id, raw }),
      harness.tenant.execute({ id, raw }),
    ])
    expect(answer.body.status).toBe('payment_confirmed')
    expect(again.body.data).toEqual(answer.body.data)
    expect(sends(raw)).toBe(1)
    // 100 BRL at 5.4195, rounded to six decimals: 18.451887; the first share takes what remains.
    const payment = await harness.tenant.statusOf(id)
    expect(payment).toMatchObject({
      status: 'success',
      tid_hash: answer.body.data?.['tid_hash'],
      amount_to: '18.451887',
    })
    expect(await Promise.all(receivers.map((receiver) => balanceOf(harness.solana, receiver)))).toEqual([
      12_916_321n,
      5_535_566n,
    ])
    expect((await harness.hooks.told(id, 3)).map(({ type }) => type)).toEqual(PAID_TYPES)
    const landed = await harness.solana.client.connection.getSignaturesForAddress(new PublicKey(tx.reference))
    expect(landed.map(({ signature }) => signature)).toEqual([payment['tid_hash']])
  })

  it('is paid in SOL too', async () => {
    const receiver = freshAddress()
    const id = await harness.tenant.register({
      ...terms([receiver]),
      to_currency_symbol: 'SOL',
      amount_from: '7875',
    })
    const answer = await create(id, { payer_token_symbol: 'SOL' })
    const raw = sign(answer.body.data?.['crypto_tx'] as SolanaTx)
    expect((await harness.tenant.execute({ id, raw })).body.status).toBe('payment_confirmed')
    expect(await harness.solana.client.connection.getBalance(new PublicKey(receiver))).toBe(10_000_000_000)
  })

  it('may carry what wallets add, and nothing else', async () => {
    const id = await harness.tenant.register(terms([freshAddress()]))
    const tx = await built(id)
    const thief = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 1_000_000,
    })
    const refused = async (raw: string) => (await harness.tenant.execute({ id, raw })).body.status
    expect(await refused(sign(tx, (instructions) => [...instructions, thief]))).toBe('invalid_signed_transaction')
    expect(await refused(tx.serialized)).toBe('invalid_parameters')
    expect(await refused('0x1234')).toBe('invalid_parameters')
    const other = Transaction.from(Buffer.from(sign(tx), 'base64'))
    other.recentBlockhash = Keypair.generate().publicKey.toBase58()
    other.sign(payer)
    expect(await refused(other.serialize().toString('base64'))).toBe('invalid_signed_transaction')
    const cheaper = sign(tx, (instructions) => instructions.slice(2))
    expect(await refused(cheaper)).toBe('payment_confirmed')
  })

  it('that was signed too late is refused, and paid with a fresh transaction', async () => {
    const receiver = freshAddress()
    const id = await harness.tenant.register(terms([receiver]))
    const late = sign(await built(id))
    await harness.solana.control.advance(80)
    const answer = await harness.tenant.execute({ id, raw: late })
    expect([answer.status, answer.body.status]).toEqual([409, 'solana_blockhash_expired'])
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'pending', signed_tx: null })
    const raw = sign(await built(id))
    expect((await harness.tenant.execute({ id, raw })).body.status).toBe('payment_confirmed')
    expect(await balanceOf(harness.solana, receiver)).toBe(18_451_887n)
  })

  it('that never landed fails once its blockhash has expired, and can be tried again', async () => {
    const receiver = freshAddress()
    const id = await harness.tenant.register(terms([receiver]))
    const raw = sign(await built(id))
    harness.solanaRpc.onCall = async ({ method }) => {
      if (method !== 'sendTransaction') return 'pass'
      await harness.solana.control.advance(80)
      return 'cut'
    }
    const answer = await harness.tenant.execute({ id, raw })
    expect([answer.status, answer.body.status]).toEqual([500, 'payment_failed'])
    const failed = await harness.tenant.statusOf(id)
    expect(failed).toMatchObject({ status: 'error', data_error: { code: 'transaction_dropped' } })
    harness.solanaRpc.onCall = () => 'pass'
    const second = sign(await built(id))
    expect((await harness.tenant.execute({ id, raw: second })).body.status).toBe('payment_confirmed')
    expect(await balanceOf(harness.solana, receiver)).toBe(18_451_887n)
  })

  it('whose answer was lost is found on the chain, and never sent twice', async () => {
    const receiver = freshAddress()
    const id = await harness.tenant.register(terms([receiver]))
    const raw = sign(await built(id))
    harness.solanaRpc.onCall = ({ method }) => (method === 'sendTransaction' ? 'drop-answer' : 'pass')
    expect((await harness.tenant.execute({ id, raw })).body.status).toBe('payment_confirmed')
    expect(sends(raw)).toBe(1)
    expect(await balanceOf(harness.solana, receiver)).toBe(18_451_887n)
  })

  it('is relayed later where the RPC takes nothing, by the job if nobody asks again', async () => {
    const id = await harness.tenant.register(terms([freshAddress()]))
    const raw = sign(await built(id))
    harness.solanaRpc.onCall = ({ method }) =>
      method === 'sendTransaction'
        ? { answer: { error: { code: -32005, message: 'Node is behind by 42 slots' } } }
        : 'pass'
    const answer = await harness.tenant.execute({ id, raw })
    expect([answer.status, answer.body.status]).toEqual([502, 'broadcast_rpc_unavailable'])
    harness.solanaRpc.onCall = () => 'pass'
    await harness.tenant.untilStatus(id, 'success')
    expect(sends(raw)).toBe(1)
  })

  it('is refused where it has too little of the token, or another kind of wallet would be needed', async () => {
    const receiver = freshAddress()
    const id = await harness.tenant.register(terms([receiver]))
    expect(errorsOf(await create(id, { payer_token_symbol: 'USDT' }))).toEqual(['validation_error', ['payer_wallet']])
    const [program] = PublicKey.findProgramAddressSync([Buffer.from('vault')], SystemProgram.programId)
    expect(errorsOf(await create(id, { payer_wallet: program.toBase58() }))).toEqual([
      'validation_error',
      ['payer_wallet'],
    ])
    expect(errorsOf(await create(id, { payer_wallet: freshAddress() }))).toEqual(['validation_error', ['payer_wallet']])
    const many = await harness.tenant.register(
      terms(Array.from({ length: 10 }, freshAddress), Array<number>(10).fill(10)),
    )
    expect(errorsOf(await create(many))).toEqual(['validation_error', ['payment_id']])
  })
})
