import { Client } from 'pg'
import { createPublicClient, createWalletClient, erc20Abi, http, type Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEvmPurse } from '../load/evm-purse.js'
import { startLoad } from '../load/load.js'
import type { JournalEntry, ReceivedWebhook, HarnessView } from '../view.js'
import { startSmallHarness, type SmallHarness } from './fixtures/small-harness.js'
import { judge, judgeAtRest } from './judge.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

let harness: SmallHarness
let journal: readonly JournalEntry[]
/** Begins a transaction at the start, and leaves it open. */
let forgetful: Client
let forgottenAt = 0

beforeAll(async () => {
  harness = await startSmallHarness()
  const evm = openEvmPurse(harness.view)
  await evm.prepare()
  const load = await startLoad(harness.view, { seed: 12, perSecond: 6, evm })
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  journal = await load.stop(45_000)
}, 120_000)

afterAll(async () => {
  await harness[Symbol.asyncDispose]()
})

/** What was found until now. */
const known = new Set<string>()

/** What is found with a fault that was not found before it, as `promise: text`. */
async function foundBy(
  plant: () => Promise<unknown>,
  changed: { journal?: readonly JournalEntry[]; webhooks?: readonly ReceivedWebhook[] } = {},
): Promise<string[]> {
  const ask = async (given: typeof changed): Promise<string[]> =>
    (await judge(harness.view, given.journal ?? journal, given.webhooks ?? harness.webhooks)).map(
      ({ promise, text }) => `${promise}: ${text}`,
    )
  await plant()
  const found = await ask(changed)
  const news = found.filter((text) => !known.has(text))
  for (const text of news) known.add(text)
  return news
}

/** A payment of these that nobody has touched yet. */
const used = new Set<string>()
async function paymentWhere(condition: string): Promise<Record<string, unknown>> {
  const rows = await harness.sql(`select * from payments.payment where ${condition} order by id`)
  // Another test has planted a second row of a payment, which no client knows.
  const found = rows.find(({ id }) => !used.has(String(id)) && !String(id).endsWith('twice'))
  if (!found) throw new Error(`the load made no payment where ${condition}`)
  used.add(String(found['id']))
  return found
}

const nothing = (): Promise<void> => Promise.resolve()

describe('the oracle', () => {
  it('finds nothing in a harness without faults', async () => {
    expect(await judgeAtRest(harness.view, journal, { webhooks: harness.webhooks, withinMs: 20_000 })).toEqual([])
    // All rails were there to be judged.
    const paid = await harness.sql(`select distinct transaction_type from payments.payment where status = 'success'`)
    expect(paid.map(({ transaction_type: type }) => type).toSorted()).toEqual([
      'cardcrypto',
      'cardfiat',
      'crypto',
      'pixcrypto',
    ])
    forgetful = new Client({ connectionString: harness.view.databaseUrl })
    await forgetful.connect()
    await forgetful.query('begin')
    await forgetful.query('select 1')
    forgottenAt = performance.now()
  })

  it('finds a receiver who was paid twice, and the treasury that says nothing of it', async () => {
    const { id, split_payment_config: split } = await paymentWhere(
      `status = 'success' and transaction_type = 'crypto' and to_chain = 'polygon'`,
    )
    const [{ receiverWallet }] = split as [{ receiverWallet: string }]
    const found = await foundBy(() => payAgain(harness.view, receiverWallet))
    expect(found).toEqual([expect.stringMatching(new RegExp(`^balances: USDT of ${receiverWallet}, .*${String(id)}`))])
  })

  it('finds a receiver who was paid less than the payment says', async () => {
    const { id } = await paymentWhere(`status = 'success' and transaction_type = 'pixcrypto'`)
    const found = await foundBy(() =>
      harness.sql(`update payments.payment set amount_to = (amount_to::numeric + 1)::text where id = $1`, [id]),
    )
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^balances: .*${String(id)}`)))
  })

  it('finds a payment that was acknowledged and is gone', async () => {
    const { id } = await paymentWhere(`status = 'success' and order_code is null`)
    const found = await foundBy(() => harness.sql('delete from payments.payment where id = $1', [id]))
    expect(found).toContain(`acknowledged: payment ${String(id)}: expected one row, is none`)
  })

  it('finds a registration that made two payments', async () => {
    const { id, tenant_id: tenantId } = await paymentWhere(`metadata is not null and gateway_method = 'direct'`)
    const copy = `insert into payments.payment select (jsonb_populate_record(payment,
      jsonb_build_object('id', 'c0000000000000000000twice'))).* from payments.payment where id = $1 and tenant_id = $2`
    const found = await foundBy(() => harness.sql(copy, [id, tenantId]))
    expect(found).toContainEqual(expect.stringMatching(`^once: payments of one registration .*twice`))
  })

  it('finds a key that was answered in two ways', async () => {
    const entry = journal.find(({ operation, status }) => operation === 'register-payment' && status === 201)
    if (!entry) throw new Error('nothing was registered')
    const found = await foundBy(nothing, { journal: [...journal, { ...entry, id: 'c0000000000000000000other' }] })
    expect(found).toContainEqual(expect.stringMatching(`^once: register-payment .* with key`))
  })

  it('finds a ledger entry that does not balance, and says by how much', async () => {
    const found = await foundBy(async () => {
      await harness.sql('alter table payments.ledger_line disable trigger ledger_entry_balances')
      await harness.sql(`update payments.ledger_line set debit = debit + 1 where (tenant_id, payment_id, entry, line) in
        (select tenant_id, payment_id, entry, line from payments.ledger_line where account = 'provider:pix' and debit > 0 limit 1)`)
    })
    expect(found).toContainEqual(expect.stringMatching(/^ledger: entry receipt:.* is 1$/))
    expect(found).toContainEqual(expect.stringMatching(/^ledger: receipts of pix in cents/))
  })

  it('finds a payout that is on the chain and not in the ledger', async () => {
    const found = await foundBy(() =>
      harness.sql(`delete from payments.ledger_line where entry like 'payout:%' and payment_id in
        (select payment_id from payments.payout where chain_name = 'polygon' limit 1)`),
    )
    expect(found).toContainEqual(expect.stringMatching(/^ledger: USD. paid out by treasury:polygon/))
  })

  it('finds a card that was charged for a payment without success', async () => {
    const { id } = await paymentWhere(`status = 'success' and transaction_type = 'cardfiat'`)
    const found = await foundBy(() => harness.sql(`update payments.payment set status = 'error' where id = $1`, [id]))
    expect(found).toContainEqual(expect.stringMatching(`^hangs: payment ${String(id)}, charged by`))
  })

  it('finds a payment that is told as undone and is not, and one that was undone without a word', async () => {
    const whole = await paymentWhere(`status = 'success' and transaction_type = 'crypto' and to_chain = 'polygon'`)
    const undone = await paymentWhere(`status = 'success' and transaction_type = 'crypto' and to_chain = 'polygon'`)
    const reverted = await revertedBy(harness.view)
    const sign = { ...journal.find(({ operation }) => operation === 'sign'), id: String(undone['id']) } as JournalEntry
    const request = { chain: 'evm', hash: reverted }
    const found = await foundBy(
      async () => {
        // The product would see it too, sooner or later, and tell of it.
        await harness.sql('update payments.relay set check_at = null where payment_id = $1', [undone['id']])
        await harness.sql('update payments.payment set tid_hash = $1 where id = $2', [reverted, undone['id']])
        const about = ['payment_undone', whole['id']]
        await harness.sql(`insert into payments.operator_alert values ($1, $2, 1, 'both', now(), now())`, about)
      },
      { journal: [...journal.filter(({ id }) => id !== undone['id']), { ...sign, request }] },
    )
    expect(found).toContain(`alerts: payment ${String(whole['id'])}: expected not told as undone, is told`)
    expect(found).toContain(`alerts: payment ${String(undone['id'])}: expected told as undone, is success`)
  })

  it('finds a payment that hangs though its payer has paid, by wallet and by Pix', async () => {
    const wallet = await paymentWhere(`status = 'success' and transaction_type = 'crypto' and tid_hash is not null`)
    const pix = await paymentWhere(`status = 'success' and transaction_type = 'pixcrypto'`)
    const found = await foundBy(() =>
      harness.sql(`update payments.payment set status = 'pending' where id = any($1)`, [[wallet['id'], pix['id']]]),
    )
    expect(found).toContainEqual(expect.stringMatching(`^hangs: payment ${String(wallet['id'])}, paid by`))
    expect(found).toContainEqual(expect.stringMatching(`^hangs: payment ${String(pix['id'])}, paid by Pix`))
  })

  it('finds an order that is gone', async () => {
    const id = journal.find(({ operation, status }) => operation === 'create-order' && status === 200)?.id
    const kept = journal.filter((entry) => entry.id !== id || entry.operation !== 'delete-order')
    const found = await foundBy(() => harness.sql('delete from orders.payment_order where id = $1', [id]), {
      journal: kept,
    })
    expect(found).toContain(`acknowledged: order ${String(id)}: expected one row, is none`)
  })

  it('finds webhooks that never came, that are forged, and that contradict each other', async () => {
    const last = harness.webhooks.at(-1)
    if (!last) throw new Error('no webhook came')
    const own = (one: ReceivedWebhook): boolean => one.headers['webhook-id'] === last.headers['webhook-id']
    const without = harness.webhooks.filter((one) => !own(one))
    const id = last.headers['webhook-id'] ?? ''
    expect(await foundBy(nothing, { webhooks: without })).toEqual([expect.stringMatching(/^webhooks: .* received/)])
    const forged = [...without, { ...last, body: last.body.replace('"type"', ' "type"') }]
    expect(await foundBy(nothing, { webhooks: forged })).toContain(
      `webhooks: webhook ${id}: expected signed, is another signature`,
    )
  })

  it('finds a job that nobody begins, a payout that waits, and an alert', async () => {
    const found = await foundBy(async () => {
      await harness.sql(`select graphile_worker.add_job('unknown', run_at => now() - interval '2 minutes')`)
      await harness.sql(`update payments.payout set state = 'held' where payment_id in
        (select payment_id from payments.payout limit 1) and leg = 0`)
      await harness.sql(`insert into payments.operator_alert values ('paid_twice', 'c1', 1, 'both', now(), now())`)
    })
    expect(found).toContainEqual(expect.stringMatching(/^hangs: job \d+ \(unknown\): expected begun/))
    expect(found).toContainEqual(expect.stringMatching(/^hangs: payout 0 of payment .* is held$/))
    expect(found).toContainEqual('alerts: alert paid_twice about c1: expected none, is both')
  })

  it('finds a transaction that is left open, and a gateway that is not whole', async () => {
    // Most of the ten seconds have passed with the tests before.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, forgottenAt + 10_500 - performance.now())))
    const view = { ...harness.view, gateways: [...harness.view.gateways, 'http://127.0.0.1:1'] }
    const found = (await judge(view, journal)).map(({ promise, text }) => `${promise}: ${text}`)
    await forgetful.end()
    expect(found).toContainEqual(expect.stringMatching(/^pools: connection \d+: expected no transaction open/))
    expect(found).toContainEqual(expect.stringMatching(/^pools: http:\/\/127.0.0.1:1\/readyz: expected 200/))
  })
})

/** Pays a receiver one more unit of USDT, past the product. */
async function payAgain(view: HarnessView, receiver: string): Promise<void> {
  await sendUsdt(view, receiver, 1n)
}

/** Sends what reverts: more than there is. @returns its hash */
function revertedBy(view: HarnessView): Promise<string> {
  // No node estimates the gas of what reverts.
  return sendUsdt(view, privateKeyToAccount(view.funds.evmPrivateKey).address, 2n ** 200n, 100_000n)
}

/** Sends base units of USDT, and waits for a block. @returns the transaction's hash */
async function sendUsdt(
  { chains: { evm }, funds }: HarnessView,
  to: string,
  units: bigint,
  gas?: bigint,
): Promise<string> {
  const transport = http(evm.rpcUrl)
  const account = privateKeyToAccount(funds.evmPrivateKey)
  const call = { address: evm.tokens['USDT']?.address as Address, abi: erc20Abi, functionName: 'transfer' } as const
  const sent = { ...call, args: [to as Address, units] as const, chain: null, ...(gas !== undefined && { gas }) }
  const hash = await createWalletClient({ account, transport }).writeContract(sent)
  await minedReceipt(createPublicClient({ transport }), hash)
  return hash
}
