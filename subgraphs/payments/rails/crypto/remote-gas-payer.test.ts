import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, it } from 'vitest'
import { web3Signer } from '../../../../chains/signers/web3signer.js'
import { createLog } from '../../../../kernel/log.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { startWeb3Signer } from '../../../../test/harness/web3signer.js'
import { gasPayerTransactionsStore } from '../../store/gas-payer-transactions.js'
import { createGasPayer } from './gas-payer.js'

it('a gas payer whose remote signer fails writes and sends nothing, and sends once when it is well again', async () => {
  const harness = await startSettlementHarness()
  const key = generatePrivateKey()
  const address = privateKeyToAddress(key)
  const standIn = await startWeb3Signer(key)
  const location = { kind: 'web3signer', url: standIn.url, authorization: undefined, address } as const
  const gasPayer = createGasPayer({
    pool: harness.db.pool,
    clock: harness.clock,
    signer: web3Signer(location, { log: createLog('silent'), timeoutMs: 500 }),
    ledger: harness.deps.ledger,
    transactions: gasPayerTransactionsStore(harness.db),
    alerts: harness.deps.alerts,
    evmClient: harness.deps.evmClient,
  })
  await harness.anvil.setBalance({ address, value: 10n ** 20n })
  const call = { to: harness.newReceiver(), data: '0x', value: 7n } as const
  const send = () => gasPayer.send(harness.chain, 'split:one', call)

  for (const fault of ['hang', { status: 500, body: '' }, { status: 200, body: `0x${'11'.repeat(65)}` }] as const) {
    standIn.fault = fault
    await expect(send()).rejects.toMatchObject({
      code: fault === 'hang' ? 'provider_timeout' : 'provider_unavailable',
    })
  }
  expect(await harness.query('select 1 from payments.operator_transaction')).toEqual([])
  standIn.fault = undefined
  expect(await send()).toBe('sent')
  await until('it is mined', async () => (await harness.anvil.getTransactionCount({ address })) === 1)
  expect(await harness.anvil.getBalance({ address: call.to })).toBe(7n)
})
