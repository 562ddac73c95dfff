# Sets the RoCE ports of a host up by a losslessctl policy, and repairs drift.
#
#   class { 'losslessctl':
#     source => 'puppet:///modules/profile/gpu-backend.json',
#   }
#
# `puppet agent --noop` reports whether the ports would change; `losslessctl plan` on the host, how.
#
# @param source          the policy, as a file resource has it
# @param signature       its signature, likewise, where the host takes signed policies only
# @param manage_package  whether to install the package
# @param program         path of losslessctl
# @param options         for `losslessctl plan` and `apply`: --no-link-flap, --allow-disruption
# @param lock_timeout    seconds to wait for another run to end
# @param agent           whether to run the agent; false leaves its state unchanged
class losslessctl (
  String           $source,
  Optional[String] $signature      = undef,
  Boolean          $manage_package = true,
  String           $program        = '/usr/sbin/losslessctl',
  Array[String]    $options        = [],
  Integer[0]       $lock_timeout   = 60,
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

  if $signature {
    file { "${policy}.sig":
      ensure => file,
      owner  => 'root',
      group  => 'root',
      mode   => '0644',
      source => $signature,
      # Only beside a policy that is valid: the old one would be refused with it.
      require => File[$policy],
      before  => Exec['losslessctl apply'],
    }
  }

  file { $policy:
    ensure       => file,
    owner        => 'root',
    group        => 'root',
    mode         => '0644',
    source       => $source,
    validate_cmd => "${program} check %",
  }

  # Apply unless plan exits 0 (nothing to do). Apply also fails with its own message.
  exec { 'losslessctl apply':
    command   => "${program} apply --lock-timeout ${lock_timeout} ${words} -- ${policy}",
    unless    => "${program} plan ${words} -- ${policy}",
    logoutput => on_failure,
    timeout   => 900,
    require   => File[$policy],
  }

  # A running agent pauses repairs after the apply, until it reloads the policy.
  if $agent {
    service { 'losslessctl':
      ensure    => running,
      enable    => true,
      restart   => 'systemctl reload losslessctl',
      subscribe => [File[$policy], Exec['losslessctl apply']],
    }
  } else {
    exec { 'losslessctl reload':
      command     => '/bin/systemctl try-reload-or-restart losslessctl.service',
      onlyif      => '/usr/bin/test -d /run/systemd/system',
      refreshonly => true,
      subscribe   => [File[$policy], Exec['losslessctl apply']],
    }
  }
}
