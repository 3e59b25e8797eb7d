/** Whether a payer's payment page asked for a session. Those of before count as what they did: for the default integration. */
export const countPagesApart = ['alter table kyc.session add column is_of_page boolean not null default false']
