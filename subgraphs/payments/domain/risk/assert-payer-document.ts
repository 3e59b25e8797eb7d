import { AppError } from '../../../../kernel/errors.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { DocumentSubject, PayerDocument } from '../../peers/payer-document.js'
import { readTaxId } from '../../rails/tax-id.js'
import type { Stores } from '../../store/stores.js'

/** What comparing a payer's tax id needs. */
export interface ComparePayerDeps extends Pick<Stores, 'risk'> {
  /** How a tax id stands to the document of the verified person of the request's tenant. */
  comparePayerDocument: (subject: DocumentSubject) => Promise<PayerDocument>
}

/**
 * Refuses a payer by Pix or card, before anybody is charged and before anything is written, whose tax id is not that of the
 * verified person whom the e-mail address or the wallet names, where the tenant wants that. What the verifier does not show is
 * not known, and passes.
 * @throws payer_document_mismatch, which names the field; provider_unavailable, provider_timeout
 */
export async function assertPayerDocument(
  deps: ComparePayerDeps,
  tenant: Tenant,
  { payerCpf, payerDocument, payerDocumentType, payerEmail, payerWallet }: CreateTransactionInput,
): Promise<void> {
  const given = { payerCpf, payerDocument: payerDocumentType === 'PASSPORT' ? undefined : payerDocument }
  const fields = (['payerCpf', 'payerDocument'] as const).flatMap((field) => {
    const text = given[field]
    const taxId = text ? readTaxId(text) : undefined
    return taxId ? [{ field, document: taxId.value }] : []
  })
  if (fields.length === 0 || !tenant.products.includes('kyc')) return
  if (!(await deps.risk.comparesPayerDocuments(tenant.id))) return
  const payer = { email: (payerEmail ?? '').trim().toLowerCase(), wallet: payerWallet ?? null }
  for (const { field, document } of fields) {
    if ((await deps.comparePayerDocument({ ...payer, document })) !== 'different') continue
    const message = "is not the verified person's tax id"
    const errors = [{ field, message }]
    throw new AppError('payer_document_mismatch', { message: `${field}: ${message}`, errors })
  }
}
