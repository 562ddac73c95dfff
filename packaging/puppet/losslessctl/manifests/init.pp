# Sets the RoCE ports of a host up as a losslessctl policy says, and puts right what drifts.
#
#   class { 'losslessctl':
#     source => 'puppet:///modules/profile/gpu-backend.json',
#   }
#
# `puppet agent --noop` tells whether the ports would change, and `losslessctl plan` on the host how.
#
# @param source          the policy, as a file resource has it
# @param manage_package  whether to install the package
# @param program         where it is
# @param options         of `losslessctl plan` and `apply`: --no-link-flap, --disruptive
# @param wait            so many seconds to wait for another run to end
# @param agent           whether to run the agent, or leave that as it is
class losslessctl (
  String           $source,
  Boolean          $manage_package = true,
  String           $program        = '/usr/sbin/losslessctl',
  Array[String]    $options        = [],
  Integer[0]       $wait           = 60,
  Boolean          $agent          = false,
) {
  $policy = '/etc/losslessctl/policy.json'
  $words = join($options, ' ')

  if $manage_package {
    package { 'losslessctl':
      ensure => installed,
      before => File[$policy],
    }
  }

  file { '/etc/losslessctl':
    ensure => directory,
    owner  => 'root',
    group  => 'root',
    mode   => '0755',
  }

  file { $policy:
    ensure       => file,
    owner        => 'root',
    group        => 'root',
    mode         => '0644',
    source       => $source,
    validate_cmd => "${program} check %",
  }

  # Whatever plan says but "nothing to do" is for apply to do, or to fail of with its own words.
  exec { 'losslessctl apply':
    command   => "${program} apply --wait ${wait} ${words} ${policy}",
    unless    => "${program} plan ${words} ${policy}",
    logoutput => on_failure,
    require   => File[$policy],
  }

  if $agent {
    service { 'losslessctl':
      ensure    => running,
      enable    => true,
      restart   => 'systemctl reload losslessctl',
      subscribe => File[$policy],
      require   => Exec['losslessctl apply'],
    }
  }
}
