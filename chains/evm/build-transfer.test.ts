import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { describe, expect, it } from 'vitest'
import { parseEther } from 'viem'
import { buildCall } from './build-call.js'
import { buildTransfer } from './build-transfer.js'
import { createEvmClient } from './client.js'
import { verifyTransfers } from './confirm.js'
import { paymentReference } from './split.js'
import { freshAddress, mine, startEvmHarness } from '../../test/harness/evm.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { refusal } from '../../test/harness/refusal.js'

const reference = paymentReference('c1')

/** How a node answers every call: with this, with the beginning of this and no end, or never. */
type Answer = { status: number; body: string; endless?: boolean } | null

async function startNode(answer: Answer): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => {
    if (!answer) return
    response.writeHead(answer.status, { 'content-type': 'application/json' }).write(answer.body)
    if (!answer.endless) response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://user:secret-key@127.0.0.1:${port}/v2/secret-key`, server }
}

describe('building a transfer', async () => {
  const harness = await startEvmHarness()
  const to = freshAddress()

  const transfer = (changes: Partial<Parameters<typeof buildTransfer>[0]> = {}): ReturnType<typeof buildTransfer> =>
    buildTransfer({
      chain: harness.chain,
      client: harness.client,
      from: harness.payer.address,
      to,
      asset: harness.usdt,
      symbol: 'USDT',
      amount: 25_500_000n,
      reference,
      ...changes,
    })

  it('pays a token with the reference behind the calldata, and every quantity is a decimal string', async () => {
    const request = await transfer()
    expect(Object.keys(request).sort()).toEqual(
      ['to', 'from', 'data', 'nonce', 'value', 'chainId', 'gasLimit', 'maxFeePerGas', 'maxPriorityFeePerGas'].sort(),
    )
    expect(request).toMatchObject({
      to: harness.usdt.address,
      from: harness.payer.address,
      nonce: 0,
      value: '0',
      chainId: 31337,
    })
    expect(request.data).toMatch(new RegExp(`^0xa9059cbb.{128}${reference.slice(2)}$`))
    for (const quantity of [request.gasLimit, request.maxFeePerGas, request.maxPriorityFeePerGas]) {
      expect(quantity).toMatch(/^[1-9]\d*$/)
    }
    const receipt = await mine(harness, await signRequest(harness.payer, request))
    const moved = { token: harness.usdt.address, from: harness.payer.address, to, value: 25_500_000n }
    expect(verifyTransfers(receipt, [moved])).toBe(true)
    expect(verifyTransfers(receipt, [moved, moved])).toBe(false)
    expect(verifyTransfers(receipt, [{ ...moved, value: 25_500_001n }])).toBe(false)
    expect(verifyTransfers(receipt, [{ ...moved, token: freshAddress() }])).toBe(false)
    expect(receipt.gasUsed).toBeLessThan(BigInt(request.gasLimit))
  })

  it('pays the native coin with the reference as data', async () => {
    const request = await transfer({ asset: harness.native, symbol: 'POL', amount: parseEther('1.5') })
    expect(request).toMatchObject({ to, data: reference, value: '1500000000000000000' })
    expect((await mine(harness, await signRequest(harness.payer, request))).status).toBe('success')
    expect(await harness.client.getBalance({ address: to })).toBe(parseEther('1.5'))
  })

  it('pays a split with a plain transfer', async () => {
    const { reference: _, ...plain } = { reference, asset: harness.native, symbol: 'POL', amount: 1n }
    const request = await buildTransfer({
      chain: harness.chain,
      client: harness.client,
      from: harness.payer.address,
      to,
      ...plain,
    })
    expect(request.data).toBe('0x')
  })

  it.each([
    ['tokens', 'has an insufficient USDT balance', {}],
    ['the native coin it would pay', 'has an insufficient POL balance', { native: true }],
  ])('tells the payer that the wallet lacks %s', async (_, message, { native }: { native?: boolean }) => {
    const poor = { from: freshAddress(), ...(native && { asset: harness.native, symbol: 'POL' }) }
    const failure = await refusal(transfer(poor))
    expect(failure.code).toBe('validation_error')
    expect(failure.errors).toEqual([{ field: 'payerWallet', message }])
  })

  it('tells the payer that the wallet lacks the coin for gas', async () => {
    const poor = freshAddress()
    const funding = await transfer({ to: poor })
    await mine(harness, await signRequest(harness.payer, funding))
    const failure = await refusal(transfer({ from: poor }))
    expect(failure.errors).toEqual([{ field: 'payerWallet', message: 'has an insufficient POL balance for gas' }])
  })

  it('hands out no call that would revert', async () => {
    const call = { to: harness.router, data: '0xdeadbeef', value: 0n } as const
    const failure = await refusal(
      buildCall({ chain: harness.chain, client: harness.client, from: harness.payer.address, ...call }),
    )
    expect(failure.code).toBe('broadcast_simulation_failed')
  })

  it.each([
    ['refuses connections', 'provider_unavailable', undefined],
    ['answers 503', 'provider_unavailable', { status: 503, body: 'key secret-key is unknown' }],
    ['answers garbage', 'provider_unavailable', { status: 200, body: '<html>secret-key' }],
    [
      'limits the rate',
      'provider_unavailable',
      { status: 200, body: JSON.stringify({ id: 1, error: { code: -32005, message: 'see https://x/secret-key' } }) },
    ],
    ['does not answer', 'provider_timeout', null],
    ['never ends its answer', 'provider_timeout', { status: 200, body: '{"id":1,', endless: true }],
  ] satisfies [string, string, Answer | undefined][])(
    'says so, and leaks no key, where the node %s',
    async (_, code, answer) => {
      const node = await startNode(answer ?? null)
      if (answer === undefined) node.server.close()
      try {
        const client = createEvmClient({ ...harness.chain, rpcUrl: node.url }, { timeoutMs: 200 })
        const failure = await refusal(transfer({ client }))
        expect(failure.code).toBe(code)
        expect(`${failure.message} ${failure.details} ${failure.stack} ${String(failure.cause)}`).not.toContain(
          'secret-key',
        )
      } finally {
        node.server.closeAllConnections()
        node.server.close()
      }
    },
  )
})
