import { openDatabase, type Database } from '../../../kernel/database.js'
import type { Logger } from '../../../kernel/log.js'
import { createRateCount } from './migrations/0001-rate-count.js'

/** Connects the gateway to its PostgreSQL schema, which holds nothing but the shared rate counts. */
export function openGatewayDatabase(options: { url: string; poolSize: number; log: Logger }): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'gateway',
    entities: [],
    migrations: [{ name: '0001-rate-count', statements: createRateCount }],
  })
}
