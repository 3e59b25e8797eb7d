// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A receiver of native coins that calls back as soon as it is paid; tests try to empty a split with it.
contract GreedyReceiver {
    address private target;
    bytes private message;

    function aim(address target_, bytes calldata message_) external {
        target = target_;
        message = message_;
    }

    receive() external payable {
        // Its failure is ignored on purpose: the receiver keeps what it has and hopes for more.
        (bool done, ) = target.call(message);
        done;
    }
}
