/** How many addresses of a tenant are watched is counted with each that is opened. */
export const countWatchedByTenant = ['create index on payments.payment_address (tenant_id, watch_until)']
