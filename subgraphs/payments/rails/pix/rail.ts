import type { FieldFailure } from '../../../../kernel/errors.js'
import type { Clock } from '../../../../kernel/clock.js'
import type { Logger } from '../../../../kernel/log.js'
import type { ChargeRail } from '../rail.js'
import { callbackToken } from './callback.js'
import { createPixClient } from './client.js'
import { pixAdapter } from './adapter.js'
import type { PixSettings } from './settings.js'
import { readTaxId } from '../tax-id.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'

/** What the rail is made of. */
export interface PixRailOptions {
  settings: PixSettings
  clock: Clock
  log: Logger
  timeoutMs: number
  /** The address that the provider calls, without the token: `https://…/callbacks/pix`. */
  callbackBaseUrl: string
  /** The secrets of callbacks and of stored tax ids; 32 bytes each. */
  callbackKey: Buffer
  taxIdKey: Buffer
}

/** A person pays a Pix charge by QR code; the receivers get crypto. */
export function pixRail(options: PixRailOptions): ChargeRail {
  const { settings, clock, log, timeoutMs, callbackBaseUrl, callbackKey, taxIdKey } = options
  const token = callbackToken(callbackKey)
  return {
    kind: 'charge',
    name: 'pix',
    types: { pixcrypto: 'pixcrypto', fiatcrypto: 'pixcrypto' },
    productOf: (type) => (type === 'fiatcrypto' ? 'crypto' : 'pix'),
    needsVerifiedPayer: true,
    check: checkPayer,
    adapter: pixAdapter({
      client: createPixClient({ settings, clock, timeoutMs, log }),
      settings,
      callbackUrl: `${callbackBaseUrl}/${token}`,
      callbackToken: token,
      taxIdKey,
    }),
  }
}

function checkPayer({ payerCpf }: Partial<CreateTransactionInput>): FieldFailure[] {
  if (payerCpf === undefined || payerCpf === null || payerCpf === '') {
    return [{ field: 'payerCpf', message: 'is required for Pix payments' }]
  }
  return readTaxId(payerCpf) ? [] : [{ field: 'payerCpf', message: 'must be a CPF or a CNPJ' }]
}
