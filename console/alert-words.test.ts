import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import { alertWords, inPortuguese } from './page/messages/alert-words.js'

const HASH = `0x${'ab'.repeat(32)}`
const TELLS = /alertJob\(|alerts\.(?:raise|push)|tellOnce\(|tellDoubt\(|leaveInDoubt\(|reportDifference\(|reportIn\(/

/** What is told to operators in the sources: the texts of details, each `${…}` as a 7. */
function told(): string[] {
  const folder = join(projectRoot, 'subgraphs', 'payments')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = paths
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|fixtures\/|migrations\/|cli\//.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .filter((source) => TELLS.test(source))
  const texts = sources.flatMap((source) => [
    ...source.matchAll(/details(?: =|:)\s+(?<mark>[`'"])(?<text>(?:(?!\k<mark>)[^\n])+)\k<mark>/g),
  ])
  return texts.map(({ groups }) => (groups?.['text'] ?? '').replaceAll(/\$\{[^}]*\}/g, '7'))
}

/** Told to who ordered something, or of what only a variable says more. */
const NOT_OF_ALERTS =
  /^(?:addresses that are watched|7 (?:\S+ )?are (?:needed|left)|7 were refused|7$|7 7$|7, nonce|.*\$\{)/

/** Put together from several texts, and what becomes of each. */
const PUT_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'receiver 7 was paid by 7': [
    `receiver 0 was paid by ${HASH}, which pays nobody on polygon any more: it moved nothing in another block`,
    `receiver 0 was paid by ${HASH}, and is not in the block that has it now`,
  ],
  '7 in block 7: 7 77': [`${HASH} in block 12: from 0x1`, `${HASH} in block 12: to 0x1`],
  'receiver 7 waits until the block is final, 7': [
    'receiver 0 waits until the block is final, then another transaction pays him by itself: do not pay him by hand',
    'receiver 0 waits until the block is final, and is held then',
  ],
  '7, have not paid receiver 7, whom a node had called good': [
    `3 transactions, the last of them ${HASH}, have not paid receiver 0, whom a node had called good`,
  ],
  '7 on 7 7': [
    `${HASH} on polygon was cancelled and has not landed`,
    `${HASH} on polygon was cancelled and has left receivers out`,
    `${HASH} on polygon was cancelled and moved nothing`,
    `${HASH} on polygon is in no block`,
    `${HASH} on polygon is in no block, and 0x1 is not in the settings any more`,
    `${HASH} on polygon is refused, and 0x1 is not in the settings any more`,
    `${HASH} on polygon is refused, and is in no block: nonce too low`,
    `${HASH} on polygon is refused: nonce too low`,
    `${HASH} on polygon landed: the log says otherwise`,
  ],
  'it 7': ['it pays nobody', 'it pays c1, c2', 'it pays c1, c2, c3 and 4 more'],
  '7 payouts wait for a decision: 7': [
    '2 payouts wait for a decision: 10 of 20 BRL were taken back',
    '2 payouts wait for a decision: 10 of 20 BRL were taken back, and about 5 the provider has not decided yet',
  ],
  '7the transactions that name 7 are read: 7': ['payouts wait until the transactions that name 0x1 are read: timeout'],
  '7it is known what 7 has sent': ['payouts wait until it is known what 0x1 has sent'],
  '7 takes it again': [`${HASH} paid and is no longer on polygon: no node takes it again`],
  '7 paid and is no longer on 7: 7': [
    `${HASH} paid and is no longer on polygon: another transaction took its nonce`,
    `${HASH} paid and is no longer on polygon: it reverted where it was sent again`,
  ],
  '7 done with 7': [`the router calls ${HASH} done with no transaction`],
  '7 7 with 7': [`the router calls ${HASH} partial (refunded) with ${HASH}`],
}

describe('what operators are told', () => {
  it('has amounts and times as its reader writes them', () => {
    const details = `${HASH} brought 1234.5 USDC on polygon; the payment waits for USDT on polygon`
    expect(alertWords(details, 'en')).toBe(
      `${HASH} brought 1,234.5\u00a0USDC on polygon; the payment waits for USDT on polygon`,
    )
    expect(alertWords(details, 'pt')).toBe(
      `${HASH} trouxe 1.234,5\u00a0USDC na rede polygon; o pagamento espera USDT na rede polygon`,
    )
    expect(alertWords('149.9 BRL of rec_1', 'pt')).toBe('R$\u00a0149,90 de rec_1')
    expect(alertWords('since 2026-11-25T12:00:00.000Z', 'pt')).toMatch(/^desde 25\/11\/2026,\u00a0\d\d:\d0:00$/)
  })

  it('says both sides of a difference, and what is said of it', () => {
    const details = '100 instead of 149.9 BRL: the provider has changed what it keeps'
    expect(alertWords(details, 'pt')).toBe('R$\u00a0100,00 em vez de R$\u00a0149,90: o provedor mudou o que retém')
  })

  it('is in Portuguese wherever the server says it', () => {
    const parts = told()
      .flatMap((details) => details.split('; '))
      .filter((part) => !NOT_OF_ALERTS.test(part))
    expect(parts.length).toBeGreaterThan(30)
    const whole = parts.flatMap((part) => PUT_TOGETHER[part] ?? [part])
    expect(whole.filter((part) => inPortuguese(part) === part)).toEqual([])
  })

  it('leaves what nobody here has words for as it was told', () => {
    const details = 'would fail: execution reverted: ERC20; a new thing; since noon'
    expect(alertWords(details, 'pt')).toBe('falharia: execution reverted: ERC20; a new thing; desde noon')
    expect(alertWords('a chargeback', 'en')).toBe('a chargeback')
  })
})
