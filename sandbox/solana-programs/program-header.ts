import { createHash } from 'node:crypto'
import bs58 from 'bs58'

/** The keys that the programs compare accounts with. */
const KEYS: Readonly<Record<string, string>> = {
  TOKEN: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  ASSOCIATED_TOKEN: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  SYSTEM: '11111111111111111111111111111111',
  INSTRUCTIONS_SYSVAR: 'Sysvar1nstructions1111111111111111111111111',
  LIQUIDITY_PROGRAM: 'jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC',
  REWARDS_PROGRAM: 'jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar',
}

/** Accounts are told apart by the start of SHA-256("account:Name"). */
const ACCOUNTS = [
  'Reserve',
  'LendingMarket',
  'Lending',
  'LendingAdmin',
  'LendingRewardsRateModel',
  'TokenReserve',
  'UserSupplyPosition',
  'RateModel',
]

/** Instructions by the start of SHA-256("global:name"). `operate` is between the two Jupiter programs only. */
const INSTRUCTIONS = [
  'refresh_reserve',
  'deposit_reserve_liquidity',
  'redeem_reserve_collateral',
  'deposit',
  'withdraw',
  'redeem',
  'mint',
  'update_rate',
  'operate',
]

/** Texts that addresses are derived from. */
const SEEDS = ['lma', 'lending', 'lending_admin', 'reserve', 'liquidity']
const SEED_WORDS = 3

/**
 * The C header of every key, discriminator and seed that the programs know, as integers: a text or a key in a data
 * section would be lost by the linker.
 */
export function programHeader(): string {
  const lines = [
    '// Written by build.ts.',
    '#pragma once',
    ...Object.entries(KEYS).flatMap(([name, key]) => words(`ID_${name}`, Buffer.from(bs58.decode(key)))),
    ...ACCOUNTS.map((name) => `#define DISC_${snakeCase(name)} ${word(discriminator(`account:${name}`), 0)}`),
    ...INSTRUCTIONS.map((name) => `#define IX_${name.toUpperCase()} ${word(discriminator(`global:${name}`), 0)}`),
    ...SEEDS.flatMap((seed) => seedLines(seed)),
  ]
  return `${lines.join('\n')}\n`
}

/** The first eight bytes of the SHA-256 of a name, by which Anchor programs tell accounts and instructions apart. */
export function discriminator(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, 8)
}

function seedLines(seed: string): string[] {
  const padded = Buffer.alloc(8 * SEED_WORDS)
  padded.write(seed)
  const name = `SEED_${seed.toUpperCase()}`
  return [...words(name, padded), `#define ${name}_LENGTH ${seed.length}`]
}

function words(name: string, bytes: Buffer): string[] {
  return Array.from({ length: bytes.length / 8 }, (_, index) => `#define ${name}_${index} ${word(bytes, index)}`)
}

function word(bytes: Buffer, index: number): string {
  return `0x${bytes.readBigUInt64LE(8 * index).toString(16)}ULL`
}

function snakeCase(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, (capital) => `_${capital}`).toUpperCase()
}
