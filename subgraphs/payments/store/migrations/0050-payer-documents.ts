/** Tenants who want a payer's tax id compared with the document of the verified person. */
export const comparePayerDocuments = ['create table payments.payer_document_comparison (tenant_id text primary key)']
