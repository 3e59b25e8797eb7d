import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../chaos/random.js'
import { freshAddress, signWire } from '../../test/harness/solana-side.js'
import { buildUsdc, startSolanaHarness } from '../../test/harness/solana.js'

describe("the sandbox's Solana chain, at the hands of who sends it anything", { timeout: 240_000 }, async () => {
  const harness = await startSolanaHarness()

  const post = async (calls: object[]): Promise<{ error?: { code: number } }[]> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(harness.solana.rpcUrl, { method: 'POST', headers, body: JSON.stringify(calls) })
    return (await answer.json()) as { error?: { code: number } }[]
  }

  it('survives 100,000 broken wires, each of which may end the native runtime', async () => {
    const pid = harness.solana.pid()
    const request = await buildUsdc(harness, [
      { wallet: freshAddress(), amount: 1n },
      { wallet: freshAddress(), amount: 2n },
    ])
    const { blockhash } = await harness.client.connection.getLatestBlockhash()
    const v0 = new VersionedTransaction(
      new TransactionMessage({
        payerKey: harness.payer.publicKey,
        recentBlockhash: blockhash,
        instructions: [
          SystemProgram.transfer({
            fromPubkey: harness.payer.publicKey,
            toPubkey: Keypair.generate().publicKey,
            lamports: 1,
          }),
        ],
      }).compileToV0Message(),
    )
    v0.sign([harness.payer])
    const templates = [
      Buffer.from(signWire(harness.payer, request.serialized), 'base64'),
      Buffer.from(request.serialized, 'base64'),
      Buffer.from(v0.serialize()),
    ]
    const random = randomOf(20_261_120)
    const counts = { refused: 0, run: 0 }
    for (let done = 0; done < 100_000; done += 1_000) {
      const calls = Array.from({ length: 1_000 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: id % 2 === 0 ? 'simulateTransaction' : 'sendTransaction',
        params: [broken(templates, random).toString('base64'), { encoding: 'base64' }],
      }))
      for (const { error } of await post(calls)) counts[error?.code === -32602 ? 'refused' : 'run'] += 1
    }
    expect(harness.solana.pid()).toBe(pid)
    // Both gates are meant: wires that are refused as they are, and wires that the runtime has to refuse or fail.
    expect(counts.refused).toBeGreaterThan(10_000)
    expect(counts.run).toBeGreaterThan(10_000)
  })
})

/** A wire with some bytes changed, mostly behind the signatures, where its structure is; sometimes cut or lengthened. */
function broken(templates: readonly Buffer[], random: () => number): Buffer {
  const template = templates[Math.floor(random() * templates.length)] ?? Buffer.alloc(0)
  const wire = Buffer.from(template)
  for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) {
    const from = random() < 0.8 ? 65 : 0
    const position = from + Math.floor(random() * (wire.length - from))
    wire[position] = random() < 0.5 ? Math.floor(random() * 256) : Math.floor(random() * 8)
  }
  if (random() < 0.1) return wire.subarray(0, Math.floor(random() * wire.length))
  return random() < 0.05 ? Buffer.concat([wire, Buffer.from([Math.floor(random() * 256)])]) : wire
}
