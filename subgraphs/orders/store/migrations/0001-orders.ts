export const createOrders = [
  // A number is used once and never above 20: the limit of 20 orders holds even for rows that come another way.
  `create table orders.payment_order (
      tenant_id text not null,
      id text not null,
      number int not null check (number between 1 and 20),
      sequence int not null,
      active boolean not null,
      executor_id text not null,
      from_currency_symbol text not null,
      amount_from text not null,
      to_currency_symbol text not null,
      to_chain text,
      on_ramp boolean not null,
      gateway_method text not null check (gateway_method in ('direct', 'subs')),
      payment_method_allowed jsonb not null,
      order_items jsonb not null,
      split_payment_config jsonb not null,
      subscription_payment_config jsonb,
      tenant_data jsonb,
      payment_session_link text not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (tenant_id, number)
    )`,
  `create table orders.order_count (
      tenant_id text primary key,
      orders int not null
    )`,
  `create table orders.order_event (
      tenant_id text not null,
      order_id text not null,
      sequence int not null,
      type text not null check (type in ('order.created', 'order.updated')),
      snapshot jsonb not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, order_id, sequence)
    )`,
]
