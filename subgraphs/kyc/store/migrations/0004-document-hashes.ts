/** The document of a verified person as a keyed hash, where the provider shows one; never the number. */
export const hashDocuments = ['alter table kyc.session add column document_hash text']
