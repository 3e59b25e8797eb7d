export const deleteOrders = [
  `alter table orders.payment_order add column deleted boolean not null default false`,
  // A deleted order keeps its number, so numbers go on above 20: what is counted is the orders that are left.
  `alter table orders.payment_order drop constraint payment_order_number_check`,
  `alter table orders.payment_order add check (number > 0)`,
  `alter table orders.order_count add column last_number int not null default 0`,
  `update orders.order_count set last_number = orders`,
  `alter table orders.order_count add check (orders between 0 and 20)`,
]
