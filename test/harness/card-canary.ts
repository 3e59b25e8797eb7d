import { createHash, randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from './database.js'

/** The number of a card that nobody else has, with the right check digit. */
export function newCardNumber(): string {
  const digits = `4929${Array.from({ length: 11 }, () => randomInt(10)).join('')}`
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** What betrays a card: its number in any writing, its middle, a hash that can be tried out, its code. */
export function needlesOf(numbers: readonly string[], cvvs: readonly string[]): RegExp[] {
  const writings = numbers.flatMap((number) => [
    number,
    number.slice(4, 14),
    (number.match(/.{4}/g) ?? []).join(' '),
    (number.match(/.{4}/g) ?? []).join('-'),
    createHash('sha256').update(number).digest('hex'),
    Buffer.from(number).toString('base64').slice(0, 20),
    Buffer.from(number).toString('hex'),
  ])
  const codes = cvvs.map((code) => new RegExp(`(?<![\\w.:-])${code}(?![\\w.-])`))
  return [...writings.map((text) => new RegExp(text.replace(/[+/]/g, '\\$&'))), ...codes]
}

/** Every row of every table, as text. */
export async function wholeDatabase(databaseUrl: string): Promise<string> {
  const tables = await query(
    databaseUrl,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) =>
      query(databaseUrl, `select row_to_json(canary_row)::text as text from ${String(name)} as canary_row`),
    ),
  )
  return rows.flatMap((found) => found.map(({ text }) => String(text))).join('\n')
}

/** Every file below a folder, as text. */
export async function wholeFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  // What the simulated processor has on its disk is as far from us as the real one's.
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'card-orders.json')
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
  return texts.join('\n')
}
