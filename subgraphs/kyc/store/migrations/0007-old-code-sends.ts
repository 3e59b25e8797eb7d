/** Serves the removal of what no limit counts any more. */
export const findOldCodeSends = ['create index on kyc.email_otp_send (sent_at)']
