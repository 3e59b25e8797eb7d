import { ComputeBudgetProgram, Transaction } from '@solana/web3.js'
import { at, type Case } from './cases.js'
import type { WireRequest } from './http-client.js'

const AMOUNT = '12.5'

/**
 * The yield cases, of one market: strategies out of a cache; and a position and a withdrawal, for which both sides ask the
 * same chain equally often. The stock gateway is not asked: what it costs is measured elsewhere.
 * @param wallets that have a position, base58
 */
export function yieldCases(apiKey: string, wallets: readonly string[]): Case[] {
  const headers = { 'x-api-key': apiKey }
  const market = { provider: 'alpha_lend', asset: 'USDC', chain_name: 'solana' }
  const strategies: WireRequest[] = [{ method: 'GET', path: '/yield/strategies', headers }]
  const earnings = wallets.map((wallet): WireRequest => {
    const query = new URLSearchParams({ ...market, wallet })
    return { method: 'GET', path: `/yield/earnings?${query.toString()}`, headers }
  })
  const withdraw = wallets.map((wallet): WireRequest => ({
    method: 'POST',
    path: '/yield/withdraw',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...market, wallet, amount: AMOUNT }),
  }))
  return [
    {
      name: 'yield strategies',
      writes: false,
      requests: { product: strategies, handwritten: strategies },
      essence: (_target, body) => withoutFigures(at(body, 'data')),
    },
    {
      name: 'yield earnings',
      writes: false,
      requests: { product: earnings, handwritten: earnings },
      varying: { position_on_protocol: '[0-9]+(\\.[0-9]+)?' },
      essence: (_target, body) => atWholeTokens(at(body, 'data', 'earnings', '0')),
    },
    {
      name: 'yield withdraw',
      writes: false,
      requests: { product: withdraw, handwritten: withdraw },
      varying: {
        transaction: '"[A-Za-z0-9+/]+=*"',
        recent_blockhash: '"[1-9A-HJ-NP-Za-km-z]{43,44}"',
        last_valid_block_height: '[0-9]+',
      },
      essence: (_target, body) => workOf(String(at(body, 'data', 'transaction'))),
    },
  ]
}

/** A list of strategies without what is another number at another moment. */
function withoutFigures(data: unknown): unknown {
  const { strategies, sources } = data as { strategies: Record<string, unknown>[]; sources: unknown }
  return { sources, strategies: strategies.map(({ apy: _apy, liquidity: _liquidity, ...rest }) => rest) }
}

/** A position to the whole token: the interest of minutes is not in it. */
function atWholeTokens(entry: unknown): unknown {
  const { position_on_protocol: position, ...rest } = entry as { position_on_protocol: number | null }
  return { ...rest, position: position === null ? null : Math.round(position) }
}

/** What a transaction does and who pays for it: all but its blockhash and its compute budget. */
function workOf(wire: string): unknown {
  const { feePayer, instructions } = Transaction.from(Buffer.from(wire, 'base64'))
  return {
    payer: feePayer?.toBase58(),
    work: instructions
      .filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId))
      .map(({ programId, keys, data }) => ({
        program: programId.toBase58(),
        keys: keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable]),
        data: data.toString('hex'),
      })),
  }
}
