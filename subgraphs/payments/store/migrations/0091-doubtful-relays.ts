/** Which transactions a node may have taken though none said so: a refusal that comes later does not end them. */
export const addMayBeSent = ['alter table payments.relay add column may_be_sent boolean not null default false']
