# Written by losslessctl env --format sh, from policy prio5-dscp40
# roce.tos: DSCP 40 << 2 | ECN 2, priority 5
export NCCL_IB_TC='162'
# roce.tos: DSCP 40 << 2 | ECN 2, priority 5
export NCCL_GIN_IB_TC='162'
# the ports of the policy; = matches whole names, not mlx5_10 for mlx5_1
export NCCL_IB_HCA='=mlx5_0:1,mlx5_1:1'
# every port has a RoCE v2 GID with an IPv4 address
export NCCL_IB_ADDR_FAMILY='AF_INET'
# RoCE v1 has no DSCP
export NCCL_IB_ROCE_VERSION_NUM='2'
# roce.tos: DSCP 40 << 2 | ECN 2, priority 5
export UCX_IB_TRAFFIC_CLASS='162'
# the ports of the policy
export UCX_NET_DEVICES='mlx5_0:1,mlx5_1:1'
