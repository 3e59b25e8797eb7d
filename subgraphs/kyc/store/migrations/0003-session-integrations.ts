/** Which integration of the tenant a session counts for; null for the default one, as for all of before. */
export const countByIntegration = ['alter table kyc.session add column public_client_id text']
