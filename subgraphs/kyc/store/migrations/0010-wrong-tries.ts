/** How many wrong codes were typed for each that was sent. Of one from before nobody knows: as many as it may have had. */
export const countWrongTries = [
  'alter table kyc.email_otp_send add column wrong_tries int not null default 5',
  'alter table kyc.email_otp_send alter column wrong_tries set default 0',
]
