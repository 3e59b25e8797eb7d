import type { FieldFailure } from '../../../../kernel/errors.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { ConfiguredRail, RailKind, TransactionTypes } from '../rail.js'
import { readTaxId } from '../tax-id.js'
import { pixAdapter } from './adapter.js'
import { callbackToken } from './callback.js'
import { createPixClient } from './client.js'
import { PIX_ENVIRONMENT, readPixSettings } from './environment.js'
import type { PixSettings } from './settings.js'

/** Shorter than other providers have, as a charge may take a token and a question about what came of it besides. */
const TIMEOUT_MS = 5_000

const types: TransactionTypes = {
  pixcrypto: { description: 'Pix pays, the receivers get crypto.', method: 'pixcrypto', product: 'pix' },
  fiatcrypto: {
    description: 'As PIXCRYPTO, under the product crypto in place of pix.',
    method: 'pixcrypto',
    product: 'crypto',
  },
}

/** A person pays a Pix charge by QR code; the receivers get crypto. */
export const pix: RailKind = {
  name: 'pix',
  product: 'pix',
  types,
  environment: PIX_ENVIRONMENT,
  configure: (environment, sandbox) => {
    const settings = readPixSettings(environment) ?? (sandbox as PixSettings | undefined)
    return settings && pixRail(settings)
  },
}

/** The rail at one provider. */
export function pixRail(settings: PixSettings, timeoutMs = TIMEOUT_MS): ConfiguredRail {
  return ({ clock, log, publicUrl, deriveKey }) => {
    const token = callbackToken(deriveKey('callbacks'))
    return {
      kind: 'charge',
      name: 'pix',
      types,
      needsVerifiedPayer: true,
      check: checkPayer,
      adapter: pixAdapter({
        client: createPixClient({ settings, clock, timeoutMs, log }),
        settings,
        callbackUrl: `${publicUrl}/callbacks/pix/${token}`,
        callbackToken: token,
        taxIdKey: deriveKey('tax-ids'),
      }),
    }
  }
}

function checkPayer({ payerCpf }: Partial<CreateTransactionInput>): FieldFailure[] {
  if (payerCpf === undefined || payerCpf === null || payerCpf === '') {
    return [{ field: 'payerCpf', message: 'is required for Pix payments' }]
  }
  return readTaxId(payerCpf) ? [] : [{ field: 'payerCpf', message: 'must be a CPF or a CNPJ' }]
}
